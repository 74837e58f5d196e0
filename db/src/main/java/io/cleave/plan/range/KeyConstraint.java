package io.cleave.plan.range;

import java.util.List;

/// A set of keys as a tree. A node has intervals of one key column; each interval has a node for
/// the columns after it. A column that is skipped may have any value.
///
/// Nodes are shared, so a tree may stand for many more keys than it has nodes. The branches of a
/// node are in ascending order and do not overlap.
///
/// @param column the position of the column in the key; [#ANY_KEY] for the set of all keys
public record KeyConstraint(int column, List<Branch> branches) {
    /// After every column of a key.
    static final int ANY_KEY = Integer.MAX_VALUE;

    public static final KeyConstraint ALL = new KeyConstraint(ANY_KEY, List.of());
    public static final KeyConstraint NONE = new KeyConstraint(0, List.of());

    /// The keys whose column is in `interval` and whose later columns are in `next`.
    public record Branch(ColumnInterval interval, KeyConstraint next) {}

    public KeyConstraint {
        branches = List.copyOf(branches);
    }

    /// The keys whose column is in the interval.
    public static KeyConstraint of(int column, ColumnInterval interval) {
        return of(column, interval, ALL);
    }

    static KeyConstraint of(int column, ColumnInterval interval, KeyConstraint next) {
        return new KeyConstraint(column, List.of(new Branch(interval, next)));
    }

    public boolean isAll() {
        return column == ANY_KEY;
    }

    public boolean isNone() {
        return column != ANY_KEY && branches.isEmpty();
    }
}
