package io.cleave.exec;

import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Typed;
import io.cleave.plan.Node;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Joins with the right side in a hash table. The left side passes by in its order; right rows that
/// nothing matched come last, where the kind of join wants them.
final class HashJoin {
    private static final int ENTRY_BYTES = 72;

    /// A row of the right side; `matched` once a left row had its key.
    private static final class RightRow {
        private final Value[] row;
        private boolean matched;

        RightRow(Value[] row) {
            this.row = row;
        }
    }

    private final JoinKind kind;
    private final Operator left;
    private final Operator right;
    private final int leftWidth;
    private final int rightWidth;
    private final Evaluation[] leftKeys;
    private final Evaluation[] rightKeys;
    private final Type[] leftTypes;
    private final Type[] rightTypes;

    private HashJoin(Node.HashJoin node) {
        kind = node.kind();
        left = Operators.of(node.left());
        right = Operators.of(node.right());
        leftWidth = node.left().width();
        rightWidth = node.right().width();
        leftKeys = Operators.compile(node.leftKeys());
        rightKeys = Operators.compile(node.rightKeys());
        leftTypes = node.leftKeys().stream().map(Typed::type).toArray(Type[]::new);
        rightTypes = node.rightKeys().stream().map(Typed::type).toArray(Type[]::new);
    }

    static Operator of(Node.HashJoin node) {
        return new HashJoin(node)::open;
    }

    private Rows open(Running run) {
        Map<RowKey, List<RightRow>> byKey = new HashMap<>();
        List<RightRow> all = new ArrayList<>();
        try (Rows rows = right.open(run)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                Value[] key = Operators.evaluate(rightKeys, row, run.context());
                var kept = new RightRow(run.memory().keep(row, ENTRY_BYTES));
                all.add(kept);
                // A key with NULL matches nothing.
                if (!RowKey.hasNull(key)) {
                    byKey.computeIfAbsent(RowKey.ofJoin(rightTypes, key), _ -> new ArrayList<>())
                            .add(kept);
                }
            }
        }
        return new Joined(run, left.open(run), byKey, all);
    }

    private final class Joined implements Rows {
        private final Running run;
        private final Rows leftRows;
        private final Map<RowKey, List<RightRow>> byKey;
        private final List<RightRow> all;
        private final Value[] joined = new Value[leftWidth + rightWidth];
        private Iterator<RightRow> matches = List.<RightRow>of().iterator();
        private @Nullable Iterator<RightRow> leftOver;

        Joined(Running run, Rows leftRows, Map<RowKey, List<RightRow>> byKey, List<RightRow> all) {
            this.run = run;
            this.leftRows = leftRows;
            this.byKey = byKey;
            this.all = all;
        }

        @Override
        public Value @Nullable [] next() {
            while (leftOver == null) {
                if (matches.hasNext()) {
                    System.arraycopy(matches.next().row, 0, joined, leftWidth, rightWidth);
                    return joined;
                }
                Value[] row = leftRows.next();
                if (row == null) {
                    leftOver = all.iterator();
                    break;
                }
                Value[] result = left(row);
                if (result != null) {
                    return result;
                }
            }
            return nextRight(leftOver);
        }

        /// What the left row gives by itself; its pairs come from `matches` later.
        private Value @Nullable [] left(Value[] row) {
            Value[] key = Operators.evaluate(leftKeys, row, run.context());
            List<RightRow> found =
                    RowKey.hasNull(key)
                            ? List.of()
                            : byKey.getOrDefault(RowKey.ofJoin(leftTypes, key), List.of());
            found.forEach(match -> match.matched = true);
            switch (kind) {
                case LEFT_SEMI -> {
                    return found.isEmpty() ? null : row;
                }
                case LEFT_ONLY -> {
                    return found.isEmpty() ? row : null;
                }
                case RIGHT_SEMI, RIGHT_ONLY -> {
                    return null;
                }
                case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> {}
            }
            System.arraycopy(row, 0, joined, 0, leftWidth);
            if (found.isEmpty()) {
                boolean keepsLeft =
                        kind == JoinKind.LEFT
                                || kind == JoinKind.FULL
                                || kind == JoinKind.EXCLUSION;
                if (!keepsLeft) {
                    return null;
                }
                Arrays.fill(joined, leftWidth, joined.length, Value.Null.NULL);
                return joined;
            }
            if (kind != JoinKind.EXCLUSION) {
                matches = found.iterator();
            }
            return null;
        }

        private Value @Nullable [] nextRight(Iterator<RightRow> rows) {
            boolean wantMatched = kind == JoinKind.RIGHT_SEMI;
            switch (kind) {
                case RIGHT, FULL, EXCLUSION, RIGHT_SEMI, RIGHT_ONLY -> {}
                case INNER, CROSS, LEFT, LEFT_SEMI, LEFT_ONLY -> {
                    return null;
                }
            }
            while (rows.hasNext()) {
                RightRow row = rows.next();
                if (row.matched != wantMatched) {
                    continue;
                }
                if (kind == JoinKind.RIGHT_SEMI || kind == JoinKind.RIGHT_ONLY) {
                    return row.row;
                }
                Arrays.fill(joined, 0, leftWidth, Value.Null.NULL);
                System.arraycopy(row.row, 0, joined, leftWidth, rightWidth);
                return joined;
            }
            return null;
        }

        @Override
        public void close() {
            leftRows.close();
        }
    }
}
