package io.cleave.plan.range;

import io.cleave.plan.range.KeyConstraint.Branch;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Intersections and unions of key sets.
///
/// A union of sets on different columns can grow with the product of their sizes. After
/// [#MOST_BRANCHES] branches the results are no longer exact: they contain more keys than asked
/// for, never fewer.
///
/// Threads: one, for one inference.
public final class ConstraintAlgebra {
    /// The maximum number of branches made for one inference.
    private static final int MOST_BRANCHES = 2_000_000;

    private final List<Type> types;
    private int branchesLeft = MOST_BRANCHES;

    /// `types` has the types of the key columns.
    public ConstraintAlgebra(List<Type> types) {
        this.types = List.copyOf(types);
    }

    public KeyConstraint intersection(KeyConstraint left, KeyConstraint right) {
        if (left.column() > right.column()) {
            return intersection(right, left);
        }
        if (right.isAll() || branchesLeft <= 0) {
            return left;
        }
        List<Branch> common = new ArrayList<>();
        if (left.column() < right.column()) {
            for (Branch branch : left.branches()) {
                add(common, branch.interval(), intersection(branch.next(), right));
            }
            return new KeyConstraint(left.column(), common);
        }
        Type type = types.get(left.column());
        int mine = 0;
        int theirs = 0;
        while (mine < left.branches().size() && theirs < right.branches().size()) {
            Branch one = left.branches().get(mine);
            Branch other = right.branches().get(theirs);
            Bound lower = Bound.greatest(type, one.interval().lower(), other.interval().lower());
            int ends = Bound.compare(type, one.interval().upper(), other.interval().upper());
            Bound upper = ends <= 0 ? one.interval().upper() : other.interval().upper();
            if (Bound.compare(type, lower, upper) < 0) {
                add(
                        common,
                        new ColumnInterval(lower, upper),
                        intersection(one.next(), other.next()));
            }
            mine += ends <= 0 ? 1 : 0;
            theirs += ends >= 0 ? 1 : 0;
        }
        return new KeyConstraint(left.column(), common);
    }

    private void add(List<Branch> branches, ColumnInterval interval, KeyConstraint next) {
        if (!next.isNone()) {
            branches.add(new Branch(interval, next));
            branchesLeft--;
        }
    }

    /// The union of any number of sets. The list is halved recursively, so a large result is not
    /// copied again for each set.
    public KeyConstraint union(List<KeyConstraint> sets) {
        if (sets.size() > 2) {
            KeyConstraint listed = disjoint(sets);
            if (listed != null) {
                return listed;
            }
        }
        return switch (sets.size()) {
            case 0 -> KeyConstraint.NONE;
            case 1 -> sets.getFirst();
            default -> {
                int half = sets.size() / 2;
                yield union(union(sets.subList(0, half)), union(sets.subList(half, sets.size())));
            }
        };
    }

    /// The union of single intervals of one column that are given in ascending order. This is a
    /// common case. Null if the sets are not of this form.
    private @Nullable KeyConstraint disjoint(List<KeyConstraint> sets) {
        int column = sets.getFirst().column();
        if (column == KeyConstraint.ANY_KEY) {
            return null;
        }
        Type type = types.get(column);
        List<Branch> branches = new ArrayList<>(sets.size());
        for (KeyConstraint set : sets) {
            if (set.column() != column || set.branches().size() != 1) {
                return null;
            }
            Branch branch = set.branches().getFirst();
            if (!branches.isEmpty()
                    && Bound.compare(
                                    type,
                                    branches.getLast().interval().upper(),
                                    branch.interval().lower())
                            > 0) {
                return null;
            }
            branches.add(branch);
        }
        branchesLeft -= branches.size();
        return new KeyConstraint(column, branches);
    }

    @SuppressWarnings("ReferenceEquality") // Shared nodes are common; equality is only a shortcut.
    public KeyConstraint union(KeyConstraint left, KeyConstraint right) {
        if (left.isNone()) {
            return right;
        }
        if (right.isNone() || left == right) {
            return left;
        }
        if (left.column() > right.column()) {
            return union(right, left);
        }
        if (right.isAll() || branchesLeft <= 0) {
            return KeyConstraint.ALL;
        }
        KeyConstraint other =
                left.column() < right.column()
                        ? KeyConstraint.of(left.column(), ColumnInterval.ALL, right)
                        : right;
        return new KeyConstraint(
                left.column(), merged(types.get(left.column()), left.branches(), other.branches()));
    }

    /// Splits two lists of intervals at each other's bounds. A piece that is in both lists gets the
    /// union of what follows in each of them.
    private List<Branch> merged(Type type, List<Branch> left, List<Branch> right) {
        List<Branch> all = new ArrayList<>(left.size() + right.size());
        Bound done = Bound.MIN;
        int mine = 0;
        int theirs = 0;
        while (mine < left.size() || theirs < right.size()) {
            if (mine == left.size() || theirs == right.size()) {
                Branch rest = mine < left.size() ? left.get(mine++) : right.get(theirs++);
                addPiece(type, all, done, rest.interval().upper(), rest);
                continue;
            }
            Branch one = left.get(mine);
            Branch other = right.get(theirs);
            ColumnInterval a = one.interval();
            ColumnInterval b = other.interval();
            if (Bound.compare(type, a.upper(), b.lower()) <= 0) {
                addPiece(type, all, done, a.upper(), one);
                mine++;
                continue;
            }
            if (Bound.compare(type, b.upper(), a.lower()) <= 0) {
                addPiece(type, all, done, b.upper(), other);
                theirs++;
                continue;
            }
            boolean first = Bound.compare(type, a.lower(), b.lower()) < 0;
            Bound overlap = first ? b.lower() : a.lower();
            addPiece(type, all, done, overlap, first ? one : other);
            int ends = Bound.compare(type, a.upper(), b.upper());
            Bound until = ends <= 0 ? a.upper() : b.upper();
            Bound from = Bound.greatest(type, overlap, done);
            if (Bound.compare(type, from, until) < 0) {
                add(all, new ColumnInterval(from, until), union(one.next(), other.next()));
            }
            done = until;
            mine += ends <= 0 ? 1 : 0;
            theirs += ends >= 0 ? 1 : 0;
        }
        return all;
    }

    /// Adds the part of a branch that is between `done` and `until`.
    private void addPiece(Type type, List<Branch> all, Bound done, Bound until, Branch branch) {
        Bound from = Bound.greatest(type, done, branch.interval().lower());
        if (Bound.compare(type, from, until) < 0) {
            add(all, new ColumnInterval(from, until), branch.next());
        }
    }
}
