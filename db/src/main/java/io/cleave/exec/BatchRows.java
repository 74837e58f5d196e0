package io.cleave.exec;

import io.cleave.exec.kernel.KernelRun;
import io.cleave.exec.kernel.Kernels;
import io.cleave.exec.kernel.Selection;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.schema.KeyRange;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.ReadColumns;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// Reads the rows of a scan in batches. No values are created for rows that the filter rejects.
///
/// Only filters that cannot fail are evaluated ahead of the reader. If a filter could fail, the
/// result would depend on the row at which the reader stops.
final class BatchRows {
    private final Operator byRow;
    private final ReadColumns columns;
    private final SpanSource spans;
    private final Selection filter;
    private final int kernelCount;

    private BatchRows(PlanNode.Read read, Selection filter, int kernelCount, Operator byRow) {
        this.byRow = byRow;
        this.filter = filter;
        this.kernelCount = kernelCount;
        columns = ReadColumns.of(read.table(), read.columns());
        spans = new SpanSource(read);
    }

    /// This operator if it supports the read and its filters; otherwise `byRow`.
    static Operator of(PlanNode.Read read, List<Typed> predicates, Operator byRow) {
        var kernels = new Kernels(read.columns().size());
        Optional<Selection> filter =
                read.pointRead() || read.backward()
                        ? Optional.empty()
                        : Selection.thatCannotFail(predicates, kernels);
        return filter.<Operator>map(
                        found -> new BatchRows(read, found, kernels.count(), byRow)::open)
                .orElse(byRow);
    }

    private Rows open(Running run) {
        if (!run.options().batches()) {
            return byRow.open(run);
        }
        return spans.batchRanges(run)
                .<Rows>flatMap(
                        ranges ->
                                run.transaction()
                                        .scanBatches(ranges.getFirst(), columns)
                                        .map(stream -> new Scanned(run, ranges, stream)))
                .orElseGet(() -> byRow.open(run));
    }

    private final class Scanned implements Rows {
        private final Running run;
        private final List<KeyRange> ranges;
        private final KernelRun batches;
        private BatchStream stream;
        private int nextRange = 1;
        private @Nullable ColumnBatch batch;
        private int[] rows = {};
        private int count;
        private int next;

        Scanned(Running run, List<KeyRange> ranges, BatchStream stream) {
            this.run = run;
            this.ranges = ranges;
            this.stream = stream;
            batches = new KernelRun(run.context(), kernelCount);
        }

        @Override
        public Value @Nullable [] next() {
            while (next == count) {
                ColumnBatch read = stream.next();
                if (read != null) {
                    batch = read;
                    rows = batches.begin(read);
                    count = filter.apply(batches, rows, read.rows());
                    next = 0;
                } else if (nextRange < ranges.size()) {
                    stream.close();
                    stream =
                            run.transaction()
                                    .scanBatches(ranges.get(nextRange++), columns)
                                    .orElseThrow();
                } else {
                    return null;
                }
            }
            ColumnBatch at = batch;
            return at == null ? null : at.row(rows[next++]);
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
