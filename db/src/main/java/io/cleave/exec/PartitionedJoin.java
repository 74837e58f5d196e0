package io.cleave.exec;

import io.cleave.exec.spill.Partitions;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SortedRuns;
import io.cleave.exec.spill.SpillFile;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// A [HashJoin] whose right side does not fit into memory. Both sides are written to disk,
/// partitioned by the hash of their keys, and each part is joined by itself. The results are sorted
/// by left row, because other operators rely on the order of the left side.
///
/// A part that is too large is partitioned again, unless all its right rows have the same key. The
/// result of such a part is far larger than the part itself, so it is not stored: it is joined
/// while it is read, with the right side on disk.
final class PartitionedJoin {
    private final HashJoin join;
    private final Running run;
    private final SortedRuns results;

    /// The results of parts with a single key, each in the order of its left rows.
    private final List<Rows> unparted = new ArrayList<>();

    PartitionedJoin(HashJoin join, Running run) {
        this.join = join;
        this.run = run;
        results = new SortedRuns(PartitionedJoin::compareArrivals, run.spill());
    }

    private static int compareArrivals(Value[] left, Value[] right) {
        return Long.compare(((Value.Int) left[0]).value(), ((Value.Int) right[0]).value());
    }

    /// `table` is full; `rest` has the right rows that are not in it.
    Rows join(MemoryJoinTable table, Rows rest) {
        var rightParts = new Partitions(run.spill(), 0);
        table.drain(row -> addRight(rightParts, row));
        for (Value[] row = rest.next(); row != null; row = rest.next()) {
            run.checkpoint().pass();
            addRight(rightParts, row);
        }
        var leftParts = new Partitions(run.spill(), 0);
        try (Rows rows = join.sides().left.open(run)) {
            long arrival = 0;
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                run.checkpoint().pass();
                Value[] numbered = Arrays.copyOf(row, row.length + 1);
                numbered[row.length] = Value.of(arrival++);
                addLeft(leftParts, numbered);
            }
        }
        joinAll(leftParts, rightParts, 1);
        Rows sorted = results.sorted(unparted);
        return new Rows() {
            @Override
            public Value @Nullable [] next() {
                Value[] row = sorted.next();
                return row == null ? null : Arrays.copyOfRange(row, 1, row.length);
            }

            @Override
            public void close() {
                results.close();
                unparted.forEach(Rows::close);
            }
        };
    }

    /// The row's number is after all columns that the key is computed from.
    private void addLeft(Partitions parts, Value[] numbered) {
        add(parts, join.leftKey(numbered, run), numbered);
    }

    private void addRight(Partitions parts, Value[] row) {
        add(parts, join.rightKey(row, run), row);
    }

    private static void add(Partitions parts, @Nullable RowKey key, Value[] row) {
        if (key == null) {
            parts.addKeyless(row);
        } else {
            parts.add(key, row);
        }
    }

    private void joinAll(Partitions lefts, Partitions rights, int level) {
        for (int part = 0; part < lefts.files().size(); part++) {
            SpillFile left = lefts.files().get(part);
            SpillFile right = rights.files().get(part);
            var table = new MemoryJoinTable(join.sides(), run);
            if (fill(table, right)) {
                run.spill().remove(right);
                try (var numbered = new Numbered(left, table)) {
                    for (Value[] row = numbered.next(); row != null; row = numbered.next()) {
                        results.add(row);
                    }
                }
                continue;
            }
            table.close();
            if (rights.hasSeveralKeys(part)) {
                partAgain(left, right, level);
            } else {
                RowKey key = Objects.requireNonNull(rights.key(part));
                unparted.add(new Numbered(left, new FileJoinTable(run, right, key)));
            }
        }
    }

    /// Whether all right rows fit into memory.
    private static boolean fill(MemoryJoinTable table, SpillFile right) {
        Rows rows = right.read();
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            if (!table.add(row)) {
                return false;
            }
        }
        return true;
    }

    private void partAgain(SpillFile left, SpillFile right, int level) {
        var rightParts = new Partitions(run.spill(), level);
        Rows rights = right.read();
        for (Value[] row = rights.next(); row != null; row = rights.next()) {
            run.checkpoint().pass();
            addRight(rightParts, row);
        }
        run.spill().remove(right);
        var leftParts = new Partitions(run.spill(), level);
        Rows lefts = left.read();
        for (Value[] row = lefts.next(); row != null; row = lefts.next()) {
            run.checkpoint().pass();
            addLeft(leftParts, row);
        }
        run.spill().remove(left);
        joinAll(leftParts, rightParts, level + 1);
    }

    /// The result of a part. The first column of each row is the number of its left row, or the
    /// largest long if it has no left row. Closing removes the file of the left side.
    private final class Numbered implements Rows {
        private final SpillFile left;
        private final HashJoin.Joined joined;
        private long arrival;

        Numbered(SpillFile left, JoinTable table) {
            this.left = left;
            Rows rows = left.read();
            int width = join.sides().leftWidth;
            joined =
                    join.joined(
                            run,
                            () -> {
                                Value[] row = rows.next();
                                if (row == null) {
                                    return null;
                                }
                                arrival = ((Value.Int) row[width]).value();
                                return Arrays.copyOf(row, width);
                            },
                            table);
        }

        @Override
        public Value @Nullable [] next() {
            Value[] row = joined.next();
            if (row == null) {
                return null;
            }
            var numbered = new Value[row.length + 1];
            numbered[0] = Value.of(joined.isBehindLeft() ? Long.MAX_VALUE : arrival);
            System.arraycopy(row, 0, numbered, 1, row.length);
            return numbered;
        }

        @Override
        public void close() {
            joined.close();
            run.spill().remove(left);
        }
    }
}
