package io.cleave.plan;

import io.cleave.plan.KeySpans.Span;
import io.cleave.plan.Program.Step;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement.WriteMode;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Describes how the writes of a plan commit: as one record in one cell, or in two phases over
/// several cells. The rows that are written are known only when the plan runs, so the cells listed
/// are those that may participate.
final class CommitFacts {
    private CommitFacts() {}

    /// Describes the commit of a serializable transaction that has only these steps. Empty if they
    /// write nothing.
    static String of(List<Step> steps, Tables tables) {
        Set<Long> cells = new TreeSet<>();
        List<DataSteps.Write> writes = new ArrayList<>();
        boolean selects = false;
        for (Step step : steps) {
            switch (step) {
                case DataSteps.Select select -> {
                    selects = true;
                    select.priors().forEach(prior -> collect(prior.rows(), tables, cells));
                    collect(select.rows(), tables, cells);
                }
                case DataSteps.Write write -> {
                    writes.add(write);
                    write.priors().forEach(prior -> collect(prior.rows(), tables, cells));
                    collect(write.source(), tables, cells);
                    // The cells of the rows that it reads were added above.
                    if (!isOfWhatItReads(write)) {
                        cells.addAll(tables.cells(write.table(), KeyRange.ALL));
                    }
                    write.indexes()
                            .forEach(
                                    index ->
                                            cells.addAll(
                                                    tables.cells(index.table(), KeyRange.ALL)));
                }
                case Step _ -> {}
            }
        }
        if (writes.isEmpty()) {
            return "";
        }
        if (cells.size() == 1 || (!selects && writes.size() == 1 && isOneRow(writes.getFirst()))) {
            return "one cell, one record";
        }
        String ways = "one record if all rows are in one cell, else two phases";
        // The cells of a table that does not exist yet are not known.
        return cells.isEmpty()
                ? ways
                : ways
                        + "; cells "
                        + String.join(", ", cells.stream().map(String::valueOf).toList());
    }

    /// Whether the step reads and writes only one row.
    private static boolean isOneRow(DataSteps.Write write) {
        if (!write.priors().isEmpty() || !write.indexes().isEmpty()) {
            return false;
        }
        boolean ofItself = write.mode() == WriteMode.CHANGE || write.mode() == WriteMode.ERASE;
        return Nodes.readsTables(write.source())
                ? ofItself && Nodes.isPointRead(write.source())
                : isOneRow(write.source());
    }

    private static boolean isOneRow(PlanNode node) {
        return switch (node) {
            case PlanNode.Once _ -> true;
            case PlanNode.ConstantRows rows -> rows.rows().size() == 1;
            case PlanNode.Project project -> isOneRow(project.input());
            case PlanNode.Filter filter -> isOneRow(filter.input());
            case PlanNode.Limit limit -> isOneRow(limit.input());
            default -> false;
        };
    }

    /// Whether the step writes only rows that it has read, as UPDATE and DELETE with a WHERE do.
    /// The key of each written row must come from the read unchanged.
    private static boolean isOfWhatItReads(DataSteps.Write write) {
        List<Integer> keys = write.keys();
        PlanNode node = write.source();
        while (true) {
            switch (node) {
                case PlanNode.Filter filter -> node = filter.input();
                case PlanNode.Limit limit -> node = limit.input();
                case PlanNode.Sort sort -> node = sort.input();
                case PlanNode.Project project -> {
                    List<Integer> inputs = new ArrayList<>();
                    for (int key : keys) {
                        if (key < 0
                                || !(project.values().get(key) instanceof Typed.Input(_, int at))) {
                            return false;
                        }
                        inputs.add(at);
                    }
                    keys = inputs;
                    node = project.input();
                }
                case PlanNode.Read read -> {
                    return read.table().id() == write.table().id() && hasKey(read, keys);
                }
                default -> {
                    return false;
                }
            }
        }
    }

    private static boolean hasKey(PlanNode.Read read, List<Integer> places) {
        List<Integer> columns = new ArrayList<>();
        for (int place : places) {
            columns.add(place < 0 ? -1 : read.columns().get(place));
        }
        return columns.equals(read.table().keyColumns());
    }

    private static void collect(PlanNode node, Tables tables, Set<Long> cells) {
        if (node instanceof PlanNode.Read read) {
            cells.addAll(cellsOf(read, tables));
        } else if (node instanceof PlanNode.LookupJoin join) {
            cells.addAll(tables.cells(join.table(), KeyRange.ALL));
        } else if (node instanceof PlanNode.Fetch fetch) {
            cells.addAll(tables.cells(fetch.table(), KeyRange.ALL));
        }
        Nodes.inputs(node).forEach(input -> collect(input, tables, cells));
    }

    private static Set<Long> cellsOf(PlanNode.Read read, Tables tables) {
        Table table = read.table();
        if (!RangeText.isConstant(read.keys())) {
            return tables.cells(table, KeyRange.ALL);
        }
        List<Type> types = table.key().stream().map(Column::type).toList();
        Set<Long> cells = new TreeSet<>();
        for (Span span : KeyRanges.of(types, read.keys(), RangeText::constant).spans()) {
            cells.addAll(tables.cells(table, span.range()));
        }
        return cells;
    }
}
