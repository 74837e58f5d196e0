package io.cleave.exec;

import io.cleave.analysis.JoinKind;
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
import java.util.function.Consumer;

/// Joins with the right side in a hash table. The left side passes by in its order; right rows that
/// nothing matched come last, where the kind of join wants them. If the right side does not fit
/// into memory, a [PartitionedJoin] takes over.
final class HashJoin {
    private static final int ENTRY_BYTES = 72;

    /// The table takes so many rows whatever the memory.
    private static final int MIN_ROWS = 64;

    /// A row of the right side; `matched` once a left row had its key.
    private static final class RightRow {
        private final Value[] row;
        private boolean matched;

        RightRow(Value[] row) {
            this.row = row;
        }
    }

    private final JoinKind kind;
    private final JoinSides sides;

    private HashJoin(Node.HashJoin node) {
        kind = node.kind();
        sides = new JoinSides(node.left(), node.right(), node.leftKeys(), node.rightKeys());
    }

    static Operator of(Node.HashJoin node) {
        return new HashJoin(node)::open;
    }

    private Rows open(Running run) {
        var table = new Table(run);
        Rows rows = sides.right.open(run);
        try {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                if (!table.add(row)) {
                    return new PartitionedJoin(this, run).join(table, rows, sides.left);
                }
            }
        } finally {
            rows.close();
        }
        return new Joined(run, sides.left.open(run), table);
    }

    int leftWidth() {
        return sides.leftWidth;
    }

    /// Equal for rows that match; `unmatched` where the key has a NULL.
    int leftHash(Value[] row, Running run, int unmatched) {
        return hash(sides.leftTypes, sides.leftKey(row, run), unmatched);
    }

    int rightHash(Value[] row, Running run, int unmatched) {
        return hash(sides.rightTypes, sides.rightKey(row, run), unmatched);
    }

    private static int hash(Type[] types, Value[] key, int unmatched) {
        return RowKey.hasNull(key) ? unmatched : RowKey.ofJoin(types, key).hashCode();
    }

    Joined joined(Running run, Rows leftRows, Table table) {
        return new Joined(run, leftRows, table);
    }

    Table newTable(Running run) {
        return new Table(run);
    }

    /// Rows of the right side, by key.
    final class Table {
        private final Running run;
        private final QueryMemory.Share memory;
        private final Map<RowKey, List<RightRow>> byKey = new HashMap<>();
        private final List<RightRow> all = new ArrayList<>();

        Table(Running run) {
            this.run = run;
            memory = new QueryMemory.Share(run.memory());
        }

        /// False when the memory is full; the row is in all the same.
        boolean add(Value[] row) {
            run.checkpoint().pass();
            Value[] key = sides.rightKey(row, run);
            var kept = new RightRow(row.clone());
            all.add(kept);
            // A key with NULL matches nothing.
            if (!RowKey.hasNull(key)) {
                byKey.computeIfAbsent(RowKey.ofJoin(sides.rightTypes, key), _ -> new ArrayList<>())
                        .add(kept);
            }
            try {
                memory.add(ENTRY_BYTES + 2 * QueryMemory.bytes(key) + QueryMemory.bytes(row));
                return true;
            } catch (QueryMemory.Full _) {
                return all.size() < MIN_ROWS;
            }
        }

        /// Gives the rows away and forgets them.
        void drain(Consumer<Value[]> taker) {
            all.forEach(kept -> taker.accept(kept.row));
            close();
        }

        void close() {
            all.clear();
            byKey.clear();
            memory.close();
        }
    }

    final class Joined implements Rows {
        private final Running run;
        private final Rows leftRows;
        private final Table table;
        private final Value[] joined = sides.newRow();
        private Iterator<RightRow> matches = List.<RightRow>of().iterator();
        private @Nullable Iterator<RightRow> leftOver;

        Joined(Running run, Rows leftRows, Table table) {
            this.run = run;
            this.leftRows = leftRows;
            this.table = table;
        }

        /// Whether the row given last belongs to no left row.
        boolean isBehindLeft() {
            return leftOver != null;
        }

        @Override
        public Value @Nullable [] next() {
            run.checkpoint().pass();
            while (leftOver == null) {
                if (matches.hasNext()) {
                    System.arraycopy(
                            matches.next().row, 0, joined, sides.leftWidth, sides.rightWidth);
                    return joined;
                }
                Value[] row = leftRows.next();
                run.checkpoint().pass();
                if (row == null) {
                    leftOver = table.all.iterator();
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
            Value[] key = sides.leftKey(row, run);
            List<RightRow> found =
                    RowKey.hasNull(key)
                            ? List.of()
                            : table.byKey.getOrDefault(
                                    RowKey.ofJoin(sides.leftTypes, key), List.of());
            // Rows of one key are matched together.
            if (!found.isEmpty() && !found.getFirst().matched) {
                found.forEach(match -> match.matched = true);
            }
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
            System.arraycopy(row, 0, joined, 0, sides.leftWidth);
            if (found.isEmpty()) {
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
                Arrays.fill(joined, 0, sides.leftWidth, Value.Null.NULL);
                System.arraycopy(row.row, 0, joined, sides.leftWidth, sides.rightWidth);
                return joined;
            }
            return null;
        }

        @Override
        public void close() {
            leftRows.close();
            table.close();
        }
    }
}
