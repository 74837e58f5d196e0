package io.cleave.exec;

import io.cleave.exec.spill.ArrayRows;
import io.cleave.exec.spill.Partitions;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SpillFile;
import io.cleave.plan.PlanNode;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/// INTERSECT and EXCEPT: returns each distinct row of the left side that is, or is not, on the
/// right side. The rows of the right side are in a hash table, which is probed with each row of the
/// left side.
///
/// If the table does not fit into memory, both sides are written to disk, partitioned by hash, and
/// each partition is compared by itself.
final class ComparedRows implements Rows {
    private static final int ENTRY_BYTES = 64;

    /// The table accepts at least this number of rows, even if memory is full.
    private static final int MIN_ROWS = 64;

    /// The rows of one partition on disk; of the right side, only the keys.
    private record Part(SpillFile left, SpillFile right, int level) {}

    /// The rows of the right side.
    private static final class Table implements AutoCloseable {
        private final Set<RowKey> keys = new HashSet<>();
        private final QueryMemory.Share memory;

        Table(Running run) {
            memory = new QueryMemory.Share(run.memory());
        }

        /// False when the memory is full; even then the row is in the table.
        boolean add(RowKey key) {
            if (!keys.add(key)) {
                return true;
            }
            try {
                memory.add(ENTRY_BYTES + QueryMemory.bytes(key.values()));
                return true;
            } catch (QueryMemory.Full _) {
                return keys.size() < MIN_ROWS;
            }
        }

        @Override
        public void close() {
            keys.clear();
            memory.close();
        }
    }

    private final Running run;
    private final Type[] types;
    private final boolean keepMatches;
    private final ArrayDeque<Part> waiting = new ArrayDeque<>();

    /// The partition that is being compared; null if its input never went to disk.
    private @Nullable Part part;

    private Rows rows = new ArrayRows(new Value[0][]);

    private ComparedRows(Running run, Type[] types, boolean keepMatches) {
        this.run = run;
        this.types = types;
        this.keepMatches = keepMatches;
    }

    static Operator of(PlanNode.Compared node) {
        Operator left = Operators.of(node.left());
        Operator right = Operators.of(node.right());
        Type[] types = RowKey.array(node.types());
        return run -> {
            var compared = new ComparedRows(run, types, node.keepMatches());
            compared.begin(left, right);
            return compared;
        };
    }

    private void begin(Operator left, Operator right) {
        var table = new Table(run);
        try (Rows rights = right.open(run)) {
            for (Value[] row = rights.next(); row != null; row = rights.next()) {
                run.checkpoint().pass();
                if (!table.add(RowKey.ofGroup(types, row))) {
                    part(table, rights, left);
                    return;
                }
            }
        }
        rows = compared(left.open(run), table);
    }

    /// `table` is full; `rest` has the right rows that are not in it.
    private void part(Table table, Rows rest, Operator left) {
        var rightParts = new Partitions(run.spill(), 0);
        table.keys.forEach(key -> rightParts.add(key, key.values()));
        table.close();
        for (Value[] row = rest.next(); row != null; row = rest.next()) {
            run.checkpoint().pass();
            RowKey key = RowKey.ofGroup(types, row);
            rightParts.add(key, key.values());
        }
        var leftParts = new Partitions(run.spill(), 0);
        try (Rows lefts = left.open(run)) {
            addLeft(lefts, leftParts);
        }
        await(leftParts, rightParts, 1);
    }

    private void addLeft(Rows lefts, Partitions parts) {
        for (Value[] row = lefts.next(); row != null; row = lefts.next()) {
            run.checkpoint().pass();
            parts.add(RowKey.ofGroup(types, row), row);
        }
    }

    private void await(Partitions lefts, Partitions rights, int level) {
        for (int index = 0; index < lefts.files().size(); index++) {
            waiting.push(new Part(lefts.files().get(index), rights.files().get(index), level));
        }
    }

    private Rows compared(Rows lefts, Table table) {
        Rows matching =
                new Rows() {
                    @Override
                    public Value @Nullable [] next() {
                        Value[] row = lefts.next();
                        while (row != null
                                && table.keys.contains(RowKey.ofGroup(types, row)) != keepMatches) {
                            run.checkpoint().pass();
                            row = lefts.next();
                        }
                        return row;
                    }

                    @Override
                    public void close() {
                        lefts.close();
                        table.close();
                    }
                };
        return new DistinctRows(run, matching, row -> RowKey.ofGroup(types, row));
    }

    @Override
    public Value @Nullable [] next() {
        while (true) {
            Value[] row = rows.next();
            if (row != null) {
                return row;
            }
            rows.close();
            remove(part);
            part = waiting.poll();
            if (part == null) {
                rows = new ArrayRows(new Value[0][]);
                return null;
            }
            rows = open(part);
        }
    }

    /// The rows of the part; no rows if it was too large and has been partitioned again.
    private Rows open(Part opened) {
        var table = new Table(run);
        Rows rights = opened.right.read();
        for (Value[] key = rights.next(); key != null; key = rights.next()) {
            run.checkpoint().pass();
            if (!table.add(RowKey.ofValues(key))) {
                table.close();
                partAgain(opened);
                return new ArrayRows(new Value[0][]);
            }
        }
        return compared(opened.left.read(), table);
    }

    private void partAgain(Part whole) {
        var rightParts = new Partitions(run.spill(), whole.level);
        Rows rights = whole.right.read();
        for (Value[] key = rights.next(); key != null; key = rights.next()) {
            run.checkpoint().pass();
            rightParts.add(RowKey.ofValues(key), key);
        }
        var leftParts = new Partitions(run.spill(), whole.level);
        addLeft(whole.left.read(), leftParts);
        await(leftParts, rightParts, whole.level + 1);
    }

    private void remove(@Nullable Part done) {
        if (done != null) {
            run.spill().remove(done.left);
            run.spill().remove(done.right);
        }
    }

    @Override
    public void close() {
        rows.close();
        remove(part);
        part = null;
        waiting.forEach(this::remove);
        waiting.clear();
    }
}
