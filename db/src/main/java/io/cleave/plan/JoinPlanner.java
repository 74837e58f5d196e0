package io.cleave.plan;

import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.plan.PlanRules.Rule;
import io.cleave.plan.Planner.Scan;
import io.cleave.schema.Column;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Joins by lookup where the right side is a table joined by a prefix of its key, and by a hash
/// table of the right side otherwise.
///
/// A lookup reads, and later checks for conflicts, only the rows it needs; a hash join the whole
/// right side.
final class JoinPlanner {
    private final Planner planner;

    JoinPlanner(Planner planner) {
        this.planner = planner;
    }

    Planned plan(Relation.Join join, BitSet needed, Scan scan) {
        int leftWidth = join.left().fields().size();
        int rightWidth = join.right().fields().size();
        boolean rightOnly =
                join.kind() == JoinKind.RIGHT_SEMI || join.kind() == JoinKind.RIGHT_ONLY;
        BitSet leftNeeded = rightOnly ? new BitSet() : needed.get(0, leftWidth);
        BitSet rightNeeded =
                rightOnly ? needed : needed.get(leftWidth, Math.max(leftWidth, needed.length()));
        leftNeeded = Planner.with(leftNeeded, join.leftKeys());
        Planned left = planner.plan(join.left(), leftNeeded, scan);
        Optional<Planned> lookup =
                planner.rules().has(Rule.LOOKUP_JOINS)
                        ? lookup(join, left, rightNeeded)
                        : Optional.empty();
        if (lookup.isPresent()) {
            return lookup.get();
        }
        Planned right =
                planner.plan(
                        join.right(), Planner.with(rightNeeded, join.rightKeys()), Scan.FORWARD);
        Node node =
                new Node.HashJoin(
                        join.kind(),
                        left.node(),
                        right.node(),
                        left.place(join.leftKeys()),
                        right.place(join.rightKeys()));
        if (rightOnly) {
            return new Planned(node, right.places());
        }
        return new Planned(node, both(left, right.places(), rightWidth));
    }

    private static int[] both(Planned left, int[] rightPlaces, int rightWidth) {
        int leftWidth = left.places().length;
        int[] places = Arrays.copyOf(left.places(), leftWidth + rightWidth);
        for (int index = 0; index < rightWidth; index++) {
            int place = rightPlaces[index];
            places[leftWidth + index] = place < 0 ? -1 : place + left.node().width();
        }
        return places;
    }

    private static Optional<Planned> lookup(Relation.Join join, Planned left, BitSet rightNeeded) {
        switch (join.kind()) {
            case INNER, LEFT, LEFT_SEMI, LEFT_ONLY -> {}
            case RIGHT, FULL, CROSS, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> {
                return Optional.empty();
            }
        }
        Optional<Typed> filter = Optional.empty();
        Relation right = join.right();
        if (right instanceof Relation.Filter(Relation input, Typed predicate)) {
            filter = Optional.of(predicate);
            right = input;
        }
        if (!(right instanceof Relation.TableRows(Table table))) {
            return Optional.empty();
        }
        Optional<List<Typed>> keys = prefixKeys(join, table);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        BitSet read = Planner.with(rightNeeded, filter.stream().toList());
        int[] rightPlaces = Planner.places(table.columns().size(), read);
        var rightRows = new Planned(new Node.Once(), rightPlaces);
        Node node =
                new Node.LookupJoin(
                        join.kind(),
                        left.node(),
                        left.place(keys.get()),
                        table,
                        read.stream().boxed().toList(),
                        filter.map(rightRows::place));
        return Optional.of(new Planned(node, both(left, rightPlaces, table.columns().size())));
    }

    /// What the left side gives for the first columns of the right table's key, if every equality
    /// of the join is one of those columns, of its own type.
    private static Optional<List<Typed>> prefixKeys(Relation.Join join, Table table) {
        List<Typed> keys = new ArrayList<>();
        for (int keyColumn : table.keyColumns()) {
            int equality = equalityOn(join, keyColumn);
            if (equality < 0) {
                break;
            }
            Column column = table.columns().get(keyColumn);
            Typed key = join.leftKeys().get(equality);
            if (!key.type().unwrapped().equals(column.type())) {
                return Optional.empty();
            }
            keys.add(key);
        }
        return keys.isEmpty() || keys.size() != join.leftKeys().size()
                ? Optional.empty()
                : Optional.of(keys);
    }

    private static int equalityOn(Relation.Join join, int column) {
        for (int index = 0; index < join.rightKeys().size(); index++) {
            if (join.rightKeys().get(index) instanceof Typed.Input(_, int read) && read == column) {
                return index;
            }
        }
        return -1;
    }
}
