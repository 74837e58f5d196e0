package io.cleave.exec;

import io.cleave.exec.kernel.GroupTable;
import io.cleave.exec.kernel.Kernel;
import io.cleave.exec.kernel.KernelRun;
import io.cleave.exec.kernel.Kernels;
import io.cleave.exec.kernel.PartialAggregate;
import io.cleave.exec.kernel.PartialGroups;
import io.cleave.exec.kernel.Selection;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.Nodes;
import io.cleave.plan.PlanNode;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.ScanPart;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Groups the rows of a scan batch by batch. The parts of the scan are grouped in parallel, each
/// into its own groups, which are then merged in the order of the parts. Groups come out in the
/// order of their first row, as they do from [Grouping]. If memory runs out, [Grouping] takes over.
final class BatchGrouping {
    private final BatchInput input;
    private final Operator byRow;
    private final Type[] keyTypes;
    private final List<AggregateCall> calls;
    private final Selection filter;
    private final Kernel[] keys;

    /// One for each aggregate; null for COUNT(*).
    private final @Nullable Kernel[] arguments;

    private final int kernelCount;

    private BatchGrouping(PlanNode.Group node, BatchInput input, Operator byRow) {
        this.input = input;
        this.byRow = byRow;
        keyTypes = node.keys().stream().map(Typed::type).toArray(Type[]::new);
        calls = node.aggregates();
        var kernels = new Kernels(input.readWidth());
        filter = Selection.of(input.filters(), kernels);
        keys =
                node.keys().stream()
                        .map(key -> kernels.of(input.placed(key)))
                        .toArray(Kernel[]::new);
        arguments = new Kernel[calls.size()];
        for (int index = 0; index < arguments.length; index++) {
            List<Typed> of = calls.get(index).arguments();
            arguments[index] = of.isEmpty() ? null : kernels.of(input.placed(of.getFirst()));
        }
        kernelCount = kernels.count();
    }

    /// This operator if it supports the keys, aggregates and input of the node; otherwise `byRow`.
    static Operator of(PlanNode.Group node, Operator byRow) {
        boolean able =
                node.keys().stream()
                                .allMatch(
                                        key -> Nodes.isSteady(key) && GroupTable.takes(key.type()))
                        && node.aggregates().stream()
                                .allMatch(
                                        call ->
                                                PartialAggregate.of(call) != null
                                                        && call.arguments().stream()
                                                                .allMatch(Nodes::isSteady));
        Optional<BatchInput> input = able ? BatchInput.of(node.input()) : Optional.empty();
        return input.<Operator>map(found -> new BatchGrouping(node, found, byRow)::open)
                .orElse(byRow);
    }

    private Rows open(Running run) {
        Optional<List<ScanPart>> parts =
                run.options().batches()
                        ? input.open(run, run.options().partBytes())
                        : Optional.empty();
        if (parts.isEmpty()) {
            return byRow.open(run);
        }
        var memory = new QueryMemory.Share(run.memory());
        try {
            PartialGroups groups = groups(run, parts.get(), memory);
            return new Groups(groups, memory);
        } catch (QueryMemory.Full _) {
            // The row-by-row operator can spill its groups to disk.
            memory.close();
            return byRow.open(run);
        }
    }

    private PartialGroups groups(Running run, List<ScanPart> parts, QueryMemory.Share memory) {
        List<PartialGroups> all =
                run.workers().run(parts.size(), part -> read(run, parts.get(part), memory));
        PartialGroups merged = begin();
        if (keyTypes.length == 0) {
            merged.addOnlyGroup();
        }
        for (PartialGroups part : all) {
            long before = merged.bytes();
            merged.merge(part);
            memory.add(merged.bytes() - before);
        }
        return merged;
    }

    private PartialGroups begin() {
        var aggregates = new PartialAggregate[calls.size()];
        for (int index = 0; index < aggregates.length; index++) {
            aggregates[index] = Objects.requireNonNull(PartialAggregate.of(calls.get(index)));
        }
        return new PartialGroups(keyTypes, aggregates);
    }

    private PartialGroups read(Running run, ScanPart part, QueryMemory.Share memory) {
        var batchRun = new KernelRun(run.context().fork(), kernelCount);
        PartialGroups groups = begin();
        if (keyTypes.length == 0) {
            groups.addOnlyGroup();
        }
        var keyColumns = new Vector[keys.length];
        @Nullable Vector[] argumentColumns = new Vector[arguments.length];
        long counted = 0;
        try (BatchStream stream = part.open()) {
            for (ColumnBatch batch = stream.next(); batch != null; batch = stream.next()) {
                int[] rows = batchRun.begin(batch);
                int count = filter.apply(batchRun, rows, batch.rows());
                if (count == 0) {
                    continue;
                }
                for (int index = 0; index < keys.length; index++) {
                    keyColumns[index] = keys[index].eval(batchRun, rows, count);
                }
                for (int index = 0; index < arguments.length; index++) {
                    Kernel argument = arguments[index];
                    argumentColumns[index] =
                            argument == null ? null : argument.eval(batchRun, rows, count);
                }
                groups.add(keyColumns, argumentColumns, rows, count);
                memory.add(groups.bytes() - counted);
                counted = groups.bytes();
            }
        }
        return groups;
    }

    private static final class Groups implements Rows {
        private final PartialGroups groups;
        private final QueryMemory.Share memory;
        private int next;

        Groups(PartialGroups groups, QueryMemory.Share memory) {
            this.groups = groups;
            this.memory = memory;
        }

        @Override
        public Value @Nullable [] next() {
            return next == groups.count() ? null : groups.row(next++);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
