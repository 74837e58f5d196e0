package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// A [HashJoin] whose right side does not fit into memory: both sides go to disk, apart by the hash
/// of their keys, and each part is joined by itself. The results are sorted by the left rows they
/// are of, for others count on the left side's order.
final class PartitionedJoin {
    private final HashJoin join;
    private final Running run;
    private final SortedRuns results;

    /// Rows that match nothing may be anywhere, but not all in one place: they may be equal.
    private int unmatched;

    PartitionedJoin(HashJoin join, Running run) {
        this.join = join;
        this.run = run;
        results = new SortedRuns(PartitionedJoin::compareArrivals, run);
    }

    private static int compareArrivals(Value[] left, Value[] right) {
        return Long.compare(((Value.Int) left[0]).value(), ((Value.Int) right[0]).value());
    }

    /// `table` is full, `rest` are the right rows that it does not have.
    Rows join(HashJoin.Table table, Rows rest, Operator left) {
        var rightParts = new Partitions(run, 0);
        table.drain(row -> rightParts.add(rightHash(row), row));
        for (Value[] row = rest.next(); row != null; row = rest.next()) {
            run.checkpoint().pass();
            rightParts.add(rightHash(row), row);
        }
        var leftParts = new Partitions(run, 0);
        try (Rows rows = left.open(run)) {
            long arrival = 0;
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                run.checkpoint().pass();
                Value[] numbered = Arrays.copyOf(row, row.length + 1);
                numbered[row.length] = Value.of(arrival++);
                leftParts.add(leftHash(row), numbered);
            }
        }
        joinAll(leftParts.files(), rightParts.files(), 1);
        Rows sorted = results.sorted();
        return new Rows() {
            @Override
            public Value @Nullable [] next() {
                Value[] row = sorted.next();
                return row == null ? null : Arrays.copyOfRange(row, 1, row.length);
            }

            @Override
            public void close() {
                results.close();
            }
        };
    }

    private int leftHash(Value[] row) {
        return join.leftHash(row, run, unmatched++);
    }

    private int rightHash(Value[] row) {
        return join.rightHash(row, run, unmatched++);
    }

    private void joinAll(List<SpillFile> lefts, List<SpillFile> rights, int level) {
        for (int part = 0; part < lefts.size(); part++) {
            joinOne(lefts.get(part), rights.get(part), level);
            run.spill().remove(lefts.get(part));
            run.spill().remove(rights.get(part));
        }
    }

    private void joinOne(SpillFile left, SpillFile right, int level) {
        HashJoin.Table table = join.newTable(run);
        Rows rows = right.read();
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            if (!table.add(row)) {
                table.close();
                partAgain(left, right, level);
                return;
            }
        }
        var arrivals = new Arrivals(left.read());
        try (HashJoin.Joined joined = join.joined(run, arrivals, table)) {
            for (Value[] row = joined.next(); row != null; row = joined.next()) {
                var result = new Value[row.length + 1];
                result[0] = Value.of(joined.isBehindLeft() ? Long.MAX_VALUE : arrivals.last);
                System.arraycopy(row, 0, result, 1, row.length);
                results.add(result);
            }
        }
    }

    private void partAgain(SpillFile left, SpillFile right, int level) {
        var rightParts = new Partitions(run, level);
        Rows rights = right.read();
        for (Value[] row = rights.next(); row != null; row = rights.next()) {
            rightParts.add(rightHash(row), row);
        }
        var leftParts = new Partitions(run, level);
        Rows lefts = left.read();
        for (Value[] row = lefts.next(); row != null; row = lefts.next()) {
            leftParts.add(leftHash(row), row);
        }
        joinAll(leftParts.files(), rightParts.files(), level + 1);
    }

    /// Left rows without the number they were given, which is remembered.
    private final class Arrivals implements Rows {
        private final Rows rows;
        private long last;

        Arrivals(Rows rows) {
            this.rows = rows;
        }

        @Override
        public Value @Nullable [] next() {
            Value[] row = rows.next();
            if (row == null) {
                return null;
            }
            int width = join.leftWidth();
            last = ((Value.Int) row[width]).value();
            return Arrays.copyOf(row, width);
        }
    }
}
