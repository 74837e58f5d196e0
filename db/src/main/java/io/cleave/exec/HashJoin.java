package io.cleave.exec;

import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.Nodes;
import io.cleave.plan.PlanNode;
import io.cleave.typed.JoinKind;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.stream.Stream;

/// Joins with the right side in a hash table. The left side is read in its order. Unmatched right
/// rows come last, if the kind of join returns them. If the right side does not fit into memory, a
/// [PartitionedJoin] takes over.
final class HashJoin {
    private final JoinKind kind;
    private final JoinSides sides;

    private HashJoin(JoinKind kind, JoinSides sides) {
        this.kind = kind;
        this.sides = sides;
    }

    static Operator of(PlanNode.HashJoin node) {
        var sides = new JoinSides(node.left(), node.right(), node.leftKeys(), node.rightKeys());
        boolean steady =
                Stream.concat(node.leftKeys().stream(), node.rightKeys().stream())
                        .allMatch(Nodes::isSteady);
        return steady ? new HashJoin(node.kind(), sides)::open : drawn(node.kind(), sides);
    }

    /// For keys that have a new value at every evaluation. The key of a row is evaluated again
    /// after the row was on disk, so the key is stored with the row, and removed from the result.
    private static Operator drawn(JoinKind kind, JoinSides sides) {
        JoinSides wide = sides.withKeys();
        Operator joined = new HashJoin(kind, wide)::open;
        return run -> {
            Rows rows = joined.open(run);
            return new Rows() {
                @Override
                public Value @Nullable [] next() {
                    Value[] row = rows.next();
                    return row == null ? null : narrowed(row);
                }

                private Value[] narrowed(Value[] row) {
                    return switch (kind) {
                        case LEFT_SEMI, LEFT_ONLY -> Arrays.copyOf(row, sides.leftWidth);
                        case RIGHT_SEMI, RIGHT_ONLY -> Arrays.copyOf(row, sides.rightWidth);
                        case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> {
                            Value[] both = sides.newRow();
                            System.arraycopy(row, 0, both, 0, sides.leftWidth);
                            System.arraycopy(
                                    row, wide.leftWidth, both, sides.leftWidth, sides.rightWidth);
                            yield both;
                        }
                    };
                }

                @Override
                public void close() {
                    rows.close();
                }
            };
        };
    }

    private Rows open(Running run) {
        var table = new MemoryJoinTable(sides, run);
        Rows rows = sides.right.open(run);
        try {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                if (!table.add(row)) {
                    return new PartitionedJoin(this, run).join(table, rows);
                }
            }
        } finally {
            rows.close();
        }
        return joined(run, sides.left.open(run), table);
    }

    JoinSides sides() {
        return sides;
    }

    /// Keys of matching rows are equal. Null if the key has a NULL.
    @Nullable RowKey leftKey(Value[] row, Running run) {
        return key(sides.leftTypes, sides.leftKey(row, run));
    }

    @Nullable RowKey rightKey(Value[] row, Running run) {
        return key(sides.rightTypes, sides.rightKey(row, run));
    }

    private static @Nullable RowKey key(Type[] types, Value[] key) {
        return RowKey.hasNull(key) ? null : RowKey.ofJoin(types, key);
    }

    Joined joined(Running run, Rows leftRows, JoinTable table) {
        return new Joined(run, leftRows, table);
    }

    final class Joined implements Rows {
        private final Running run;
        private final Rows leftRows;
        private final JoinTable table;
        private final Value[] joined = sides.newRow();
        private @Nullable Rows matches;
        private @Nullable Rows leftOver;

        Joined(Running run, Rows leftRows, JoinTable table) {
            this.run = run;
            this.leftRows = leftRows;
            this.table = table;
        }

        /// Whether the last row returned has no left row.
        boolean isBehindLeft() {
            return leftOver != null;
        }

        @Override
        public Value @Nullable [] next() {
            run.checkpoint().pass();
            while (leftOver == null) {
                Value[] match = matches == null ? null : matches.next();
                if (match != null) {
                    System.arraycopy(match, 0, joined, sides.leftWidth, sides.rightWidth);
                    return joined;
                }
                matches = null;
                Value[] row = leftRows.next();
                run.checkpoint().pass();
                if (row == null) {
                    leftOver = table.rows(kind == JoinKind.RIGHT_SEMI);
                    break;
                }
                Value[] result = left(row);
                if (result != null) {
                    return result;
                }
            }
            return nextRight(leftOver);
        }

        /// Returns the row that the left row makes without a match, if any. Its matches are read
        /// from `matches` afterwards.
        private Value @Nullable [] left(Value[] row) {
            RowKey key = leftKey(row, run);
            JoinTable.KeyRows found = key == null ? null : table.find(key);
            if (found != null) {
                found.matched = true;
            }
            switch (kind) {
                case LEFT_SEMI -> {
                    return found == null ? null : row;
                }
                case LEFT_ONLY -> {
                    return found == null ? row : null;
                }
                case RIGHT_SEMI, RIGHT_ONLY -> {
                    return null;
                }
                case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> {}
            }
            System.arraycopy(row, 0, joined, 0, sides.leftWidth);
            if (found == null) {
                boolean keepsLeft =
                        kind == JoinKind.LEFT
                                || kind == JoinKind.FULL
                                || kind == JoinKind.EXCLUSION;
                if (!keepsLeft) {
                    return null;
                }
                Arrays.fill(joined, sides.leftWidth, joined.length, Value.Null.NULL);
                return joined;
            }
            if (kind != JoinKind.EXCLUSION) {
                matches = found.rows();
            }
            return null;
        }

        private Value @Nullable [] nextRight(Rows rows) {
            return switch (kind) {
                case RIGHT_SEMI, RIGHT_ONLY -> rows.next();
                case RIGHT, FULL, EXCLUSION -> {
                    Value[] row = rows.next();
                    if (row == null) {
                        yield null;
                    }
                    Arrays.fill(joined, 0, sides.leftWidth, Value.Null.NULL);
                    System.arraycopy(row, 0, joined, sides.leftWidth, sides.rightWidth);
                    yield joined;
                }
                case INNER, CROSS, LEFT, LEFT_SEMI, LEFT_ONLY -> null;
            };
        }

        @Override
        public void close() {
            leftRows.close();
            table.close();
        }
    }
}
