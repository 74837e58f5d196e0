package io.cleave.exec;

import io.cleave.plan.Nodes;
import io.cleave.plan.PlanNode;
import io.cleave.schema.KeyRange;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.ScanPart;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A table read with the filters and projections above it, in a form that can run batch by batch:
/// the read, the filters over its columns, and the expressions of the output rows.
///
/// An expression that has a new value for every row, such as a random number, is not moved here. It
/// keeps its place in the plan.
final class BatchInput {
    private final PlanNode.Read read;
    private final List<Typed> filters;
    private final List<Typed> values;
    private final ReadColumns columns;
    private final SpanSource spans;

    private BatchInput(PlanNode.Read read, List<Typed> filters, List<Typed> values) {
        this.read = read;
        this.filters = filters;
        this.values = values;
        columns = ReadColumns.of(read.table(), read.columns());
        spans = new SpanSource(read);
    }

    /// Converts the subplan, if it is a forward scan with only filters and projections above it.
    static Optional<BatchInput> of(PlanNode node) {
        return switch (node) {
            case PlanNode.Read read when !read.pointRead() && !read.backward() -> {
                List<Typed> values = new ArrayList<>();
                for (int index = 0; index < read.columns().size(); index++) {
                    int column = read.columns().get(index);
                    values.add(
                            new Typed.Input(read.table().columns().get(column).valueType(), index));
                }
                yield Optional.of(new BatchInput(read, List.of(), values));
            }
            case PlanNode.Filter filter when Nodes.isSteady(filter.predicate()) ->
                    of(filter.input()).map(input -> input.filtered(filter.predicate()));
            case PlanNode.Project project
                    when project.values().stream().allMatch(Nodes::isSteady) ->
                    of(project.input()).map(input -> input.projected(project.values()));
            default -> Optional.empty();
        };
    }

    private BatchInput filtered(Typed predicate) {
        List<Typed> all = new ArrayList<>(filters);
        all.add(placed(predicate));
        return new BatchInput(read, all, values);
    }

    private BatchInput projected(List<Typed> above) {
        return new BatchInput(read, filters, above.stream().map(this::placed).toList());
    }

    /// Rewrites an expression over the output rows to one over the columns that are read.
    Typed placed(Typed expression) {
        return TypedTree.mapInputs(
                expression,
                part -> part instanceof Typed.Input(_, int index) ? values.get(index) : part);
    }

    /// Predicates over the columns that are read.
    List<Typed> filters() {
        return filters;
    }

    /// The columns of the output rows, as expressions over the columns that are read.
    List<Typed> values() {
        return values;
    }

    int readWidth() {
        return read.columns().size();
    }

    /// Scans from the first row; each range is opened when the iterator reaches it. Empty if the
    /// run must read row by row.
    Optional<Iterator<BatchStream>> openInOrder(Running run) {
        return spans.batchRanges(run).flatMap(ranges -> openInOrder(run, ranges));
    }

    private Optional<Iterator<BatchStream>> openInOrder(Running run, List<KeyRange> ranges) {
        return run.transaction()
                .scanBatches(ranges.getFirst(), columns)
                .map(
                        first ->
                                Stream.concat(
                                                Stream.of(first),
                                                ranges.stream()
                                                        .skip(1)
                                                        .map(range -> next(run, range)))
                                        .iterator());
    }

    private BatchStream next(Running run, KeyRange range) {
        return run.transaction().scanBatches(range, columns).orElseThrow();
    }

    /// The parts of the scan. Empty if the run must read row by row.
    Optional<List<ScanPart>> open(Running run, long partBytes) {
        return spans.batchRanges(run)
                .flatMap(ranges -> run.transaction().scanParts(ranges, columns, partBytes));
    }
}
