package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.kernel.Kernel;
import io.cleave.exec.kernel.KernelRun;
import io.cleave.exec.kernel.Kernels;
import io.cleave.exec.kernel.RowKernel;
import io.cleave.exec.kernel.Selection;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.ScanPart;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Returns the rows of a scan that can be among the first rows of the result. The scan is read in
/// batches and its parts in parallel. With an order, each part keeps its first rows in a [PartTop].
/// Without an order, a part ends when it has enough rows, or when the parts before it have. Where a
/// parallel scan is not possible, all rows are returned.
///
/// Without an order, the scan begins sequentially, because most scans soon find enough rows. In a
/// transaction that locks what it reads, it stays sequential, because other parts may never be
/// needed.
final class PartLimitRows {
    /// Above this limit the parts would keep too many rows.
    private static final long MAX_ROWS = 10_000;

    /// If this number of rows does not contain enough matching rows, all parts are read in
    /// parallel.
    private static final long MAX_ROWS_IN_ORDER = 8_192;

    /// Rows are rarely smaller. Limits the sequential scan to about one part if parts are small.
    private static final int MIN_ROW_BYTES = 64;

    private static final int ENTRY_BYTES = 48;

    private final Operator all;
    private final BatchInput input;
    private final List<SortKey> order;
    private final Selection filter;
    private final Kernel[] keys;
    private final Kernel[] values;
    private final int kernelCount;
    private final Optional<Evaluation> count;
    private final Optional<Evaluation> offset;

    private PartLimitRows(PlanNode.PartLimit node, BatchInput input, Operator all) {
        this.all = all;
        this.input = input;
        order = node.keys();
        var kernels = new Kernels(input.readWidth());
        filter = Selection.of(input.filters(), kernels);
        keys =
                node.keys().stream()
                        .map(key -> kernels.of(input.placed(key.value())))
                        .toArray(Kernel[]::new);
        values = input.values().stream().map(kernels::of).toArray(Kernel[]::new);
        kernelCount = kernels.count();
        count = Optional.of(Evaluator.compile(node.count()));
        offset = node.offset().map(Evaluator::compile);
    }

    static Operator of(PlanNode.PartLimit node) {
        Operator all = Operators.of(node.input());
        return BatchInput.of(node.input())
                .filter(input -> !node.keys().isEmpty() || cannotFail(input))
                .<Operator>map(input -> new PartLimitRows(node, input, all)::open)
                .orElse(all);
    }

    /// If an expression can fail, the result depends on the row at which the reader stops.
    private static boolean cannotFail(BatchInput input) {
        var kernels = new Kernels(input.readWidth());
        List<Typed> values = input.values();
        return Selection.thatCannotFail(input.filters(), kernels).isPresent()
                && values.stream().noneMatch(value -> kernels.of(value) instanceof RowKernel);
    }

    private Rows open(Running run) {
        long passed = Operators.rowCount(count, run.context(), Long.MAX_VALUE);
        long skipped = Operators.rowCount(offset, run.context(), 0);
        if (!run.options().batches() || passed > MAX_ROWS || skipped > MAX_ROWS - passed) {
            return all.open(run);
        }
        int wanted = (int) (passed + skipped);
        boolean locks = run.transaction().isolation().writes();
        if (wanted == 0 || (order.isEmpty() && locks)) {
            return all.open(run);
        }
        var memory = new QueryMemory.Share(run.memory());
        try {
            return rows(run, wanted, memory)
                    .<Rows>map(found -> new Kept(found, memory))
                    .orElseGet(() -> all.open(run));
        } catch (QueryMemory.Full _) {
            memory.close();
            return all.open(run);
        }
    }

    private Optional<List<List<Value[]>>> rows(Running run, int wanted, QueryMemory.Share memory) {
        if (order.isEmpty()) {
            Optional<List<Value[]>> soon = inOrder(run, wanted, memory);
            if (soon.isPresent()) {
                return soon.map(List::of);
            }
            memory.close();
        }
        return input.open(run, run.options().partBytes())
                .map(
                        parts ->
                                order.isEmpty()
                                        ? first(run, parts, wanted, memory)
                                        : run.workers()
                                                .run(
                                                        parts.size(),
                                                        part ->
                                                                top(
                                                                        run,
                                                                        parts.get(part),
                                                                        wanted,
                                                                        memory)));
    }

    /// The first rows by a sequential scan; empty if they are not found soon.
    private Optional<List<Value[]>> inOrder(Running run, int wanted, QueryMemory.Share memory) {
        Optional<Iterator<BatchStream>> streams = input.openInOrder(run);
        if (streams.isEmpty()) {
            return Optional.empty();
        }
        var batches = new KernelRun(run.context(), kernelCount);
        List<Value[]> found = new ArrayList<>();
        long most = Math.min(MAX_ROWS_IN_ORDER, run.options().partBytes() / MIN_ROW_BYTES);
        long read = 0;
        while (streams.get().hasNext()) {
            try (BatchStream stream = streams.get().next()) {
                for (ColumnBatch batch = stream.next(); batch != null; batch = stream.next()) {
                    if (read >= most) {
                        return Optional.empty();
                    }
                    read += batch.rows();
                    add(batches, batch, wanted, found, memory);
                    if (found.size() == wanted) {
                        return Optional.of(found);
                    }
                }
            }
        }
        return Optional.of(found);
    }

    private List<List<Value[]>> first(
            Running run, List<ScanPart> parts, int wanted, QueryMemory.Share memory) {
        var counts = new AtomicIntegerArray(parts.size());
        return run.workers()
                .run(
                        parts.size(),
                        part -> {
                            var batches = new KernelRun(run.context().fork(), kernelCount);
                            List<Value[]> found = new ArrayList<>();
                            try (BatchStream stream = parts.get(part).open()) {
                                while (found.size() < wanted && !isEnough(counts, part, wanted)) {
                                    ColumnBatch batch = stream.next();
                                    if (batch == null) {
                                        break;
                                    }
                                    add(batches, batch, wanted, found, memory);
                                    counts.set(part, found.size());
                                }
                            }
                            return found;
                        });
    }

    /// Whether the parts before this one have found enough rows.
    private static boolean isEnough(AtomicIntegerArray counts, int part, int wanted) {
        long before = 0;
        for (int index = 0; index < part && before < wanted; index++) {
            before += counts.get(index);
        }
        return before >= wanted;
    }

    private void add(
            KernelRun batches,
            ColumnBatch batch,
            int wanted,
            List<Value[]> found,
            QueryMemory.Share memory) {
        int[] rows = batches.begin(batch);
        int fitting = filter.apply(batches, rows, batch.rows());
        int taken = Math.min(fitting, wanted - found.size());
        if (taken > 0) {
            var columns = PartTop.eval(values, batches, rows, taken);
            for (int index = 0; index < taken; index++) {
                Value[] row = PartTop.row(columns, rows[index]);
                memory.add(ENTRY_BYTES + QueryMemory.bytes(row));
                found.add(row);
            }
        }
    }

    private List<Value[]> top(Running run, ScanPart part, int wanted, QueryMemory.Share memory) {
        var batches = new KernelRun(run.context().fork(), kernelCount);
        var top = new PartTop(order, wanted, memory);
        try (BatchStream stream = part.open()) {
            for (ColumnBatch batch = stream.next(); batch != null; batch = stream.next()) {
                int[] rows = batches.begin(batch);
                int fitting = filter.apply(batches, rows, batch.rows());
                if (fitting > 0) {
                    top.add(
                            PartTop.eval(keys, batches, rows, fitting),
                            PartTop.eval(values, batches, rows, fitting),
                            rows,
                            fitting);
                }
            }
        }
        return top.rows();
    }

    private static final class Kept implements Rows {
        private final Iterator<Value[]> rows;
        private final QueryMemory.Share memory;

        Kept(List<List<Value[]>> parts, QueryMemory.Share memory) {
            rows = parts.stream().flatMap(List::stream).iterator();
            this.memory = memory;
        }

        @Override
        public Value @Nullable [] next() {
            return rows.hasNext() ? rows.next() : null;
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
