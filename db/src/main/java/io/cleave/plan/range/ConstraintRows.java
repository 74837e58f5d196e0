package io.cleave.plan.range;

import io.cleave.plan.range.KeyConstraint.Branch;

import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// Turns a set of keys into rows: one interval for each key column. The *width* limits the number
/// of rows: it is the number of key columns whose intervals are kept apart. The intervals of the
/// next column are replaced by their hull. The filter checks all later columns.
final class ConstraintRows {
    private final KeyConstraint root;
    private final int keyColumns;
    private int firstJoined = Integer.MAX_VALUE;

    ConstraintRows(KeyConstraint root, int keyColumns) {
        this.root = root;
        this.keyColumns = keyColumns;
    }

    /// The greatest width that gives fewer rows than `limit`. A width that gives one row is always
    /// allowed.
    int width(long limit) {
        long most = Math.max(limit, 2);
        int width = 0;
        while (width < keyColumns && rows(root, width, most) < most) {
            width++;
        }
        return width;
    }

    /// The number of rows if the columns up to `lastColumn` are kept apart; `most` if there are
    /// that many or more.
    private static long rows(KeyConstraint set, int lastColumn, long most) {
        if (set.column() > lastColumn) {
            return 1;
        }
        long sum = 0;
        for (Branch branch : set.branches()) {
            sum += rows(branch.next(), lastColumn, most - sum);
            if (sum >= most) {
                return most;
            }
        }
        return sum;
    }

    /// Calls `row` with each row. The array is reused.
    void forEach(int width, Consumer<ColumnInterval[]> row) {
        var intervals = new ColumnInterval[keyColumns];
        Arrays.fill(intervals, ColumnInterval.ALL);
        add(root, width, intervals, row);
    }

    /// The first column whose intervals were replaced by their hull; empty if there is none. Known
    /// after [#forEach].
    OptionalInt firstJoined() {
        return firstJoined < keyColumns ? OptionalInt.of(firstJoined) : OptionalInt.empty();
    }

    private void add(
            KeyConstraint set,
            int width,
            ColumnInterval[] intervals,
            Consumer<ColumnInterval[]> row) {
        if (set.isAll()) {
            row.accept(intervals);
            return;
        }
        if (set.isNone()) {
            return;
        }
        if (set.column() >= width) {
            if (set.branches().size() > 1 || !set.branches().getFirst().next().isAll()) {
                firstJoined = Math.min(firstJoined, set.column());
            }
            intervals[set.column()] =
                    new ColumnInterval(
                            set.branches().getFirst().interval().lower(),
                            set.branches().getLast().interval().upper());
            row.accept(intervals);
        } else {
            for (Branch branch : set.branches()) {
                intervals[set.column()] = branch.interval();
                add(branch.next(), width, intervals, row);
            }
        }
        intervals[set.column()] = ColumnInterval.ALL;
    }

    /// The columns that have a single value in every row, if the width is not limited.
    BitSet exactColumns() {
        return exactColumns(root, new IdentityHashMap<>());
    }

    private BitSet exactColumns(KeyConstraint set, Map<KeyConstraint, BitSet> known) {
        BitSet before = known.get(set);
        if (before != null) {
            return before;
        }
        var exact = new BitSet();
        if (!set.isAll()) {
            exact.set(0, keyColumns);
            for (Branch branch : set.branches()) {
                var here = (BitSet) exactColumns(branch.next(), known).clone();
                if (branch.interval().isExact()) {
                    here.set(set.column());
                }
                exact.and(here);
            }
        }
        known.put(set, exact);
        return exact;
    }
}
