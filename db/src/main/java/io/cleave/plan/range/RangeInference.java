package io.cleave.plan.range;

import io.cleave.typed.GeneratedColumn;
import io.cleave.value.Type;

import java.util.BitSet;
import java.util.List;

/// Infers key ranges from a set of keys and the computed columns of the key.
///
/// The set is a list of rows with an interval for each key column ([ConstraintRows]). For each row,
/// the columns are processed in key order. A column is used if each column before it has one value,
/// or is computed and has a known number of values. Later columns are not used. The number of
/// ranges is limited.
///
/// The rules are those of YTsaurus, with these differences:
///
/// - Quotients of negative numbers are enumerated completely.
/// - A source that is used in any other way than `a / 10` or `a >> 3` is enumerated value by value.
///   YTsaurus misses values of `a / 10 + a % 2`.
/// - A remainder reduces the number of rows only if it may have to be enumerated.
/// - The limit also holds for the sum of all rows.
///
/// The object has no state except its input, so any number of threads may share it.
public final class RangeInference {
    private final List<Type> types;
    private final List<GeneratedColumn> generated;
    private final List<ComputedKey> computed;

    /// `types` has the types of the key columns, without Optional.
    public RangeInference(List<Type> types, List<GeneratedColumn> generated) {
        this.types = List.copyOf(types);
        this.generated = List.copyOf(generated);
        computed = generated.stream().map(ComputedKey::new).toList();
    }

    public List<Type> types() {
        return types;
    }

    public List<GeneratedColumn> generated() {
        return generated;
    }

    /// The ranges of all keys of the set. `limit` is at least 1.
    public InferredRanges infer(KeyConstraint set, long limit) {
        var rows = new ConstraintRows(set, types.size());
        int width = rows.width(computed.isEmpty() ? limit : rowLimit(rows, limit));
        long each = limit;
        var collector = new RangeCollector(each, limit);
        rows.forEach(width, collector::add);
        if (!collector.isWhole) {
            // The limit is for all rows together, so each of them gets a part of it.
            each = Math.max(1, limit / collector.rows);
            collector = new RangeCollector(each, Saturated.MOST);
            rows.forEach(width, collector::add);
        }
        return new InferredRanges(
                collector.ranges.merged(),
                collector.notes,
                collector.rows,
                rows.firstJoined(),
                each);
    }

    /// The limit on the number of rows. A row can become as many ranges as there are remainders, so
    /// the limit is divided by their number.
    private long rowLimit(ConstraintRows rows, long limit) {
        BitSet exact = rows.exactColumns();
        long remainders = 1;
        for (ComputedKey column : computed) {
            ComputedKey.Modulo modulo = column.modulo();
            if (modulo != null && !column.sources().stream().allMatch(exact::get)) {
                // The additional one is NULL.
                remainders = Saturated.product(remainders, Saturated.sum(modulo.count(), 1));
            }
        }
        long whole = Long.divideUnsigned(limit, remainders);
        return Long.remainderUnsigned(limit, remainders) == 0 ? whole : whole + 1;
    }

    /// Collects the ranges of the rows that were added.
    private final class RangeCollector {
        private final long each;
        private final long limit;
        private final RangeList ranges = new RangeList(types);
        private List<InferenceNote> notes = List.of();
        private long rows;
        private long candidates;
        private boolean isWhole = true;

        /// @param each the limit of one row
        /// @param limit the limit of all rows, after which only rows are counted; unsigned
        RangeCollector(long each, long limit) {
            this.each = each;
            this.limit = limit;
        }

        void add(ColumnInterval[] row) {
            rows++;
            if (!isWhole) {
                return;
            }
            var walk = new RowWalk(types, computed, row, each, rows == 1);
            candidates = Saturated.sum(candidates, walk.candidates());
            if (!computed.isEmpty() && Long.compareUnsigned(candidates, limit) > 0) {
                isWhole = false;
                return;
            }
            if (rows == 1) {
                notes = walk.notes();
            }
            walk.addRanges(ranges);
        }
    }
}
