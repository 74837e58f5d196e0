package io.cleave.plan;

import io.cleave.plan.Program.Step;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Prints a plan as an indented tree. The operator that runs last is on top.
final class PlanTree {
    private static final String INDENT = "  ";

    private final Tables tables;
    private final StringBuilder text = new StringBuilder();

    /// The names of the output columns of each node that was printed.
    private final IdentityHashMap<PlanNode, List<String>> named = new IdentityHashMap<>();

    /// The names of the columns of kept rows, by the number of their node.
    private final Map<Integer, List<String>> keptNames = new HashMap<>();

    PlanTree(Tables tables) {
        this.tables = tables;
    }

    String text(List<Step> steps) {
        for (Step step : steps) {
            switch (step) {
                case DataSteps.Select select -> {
                    priors(select.priors());
                    line(0, "Select");
                    node(1, select.rows());
                }
                case DataSteps.Write write -> {
                    priors(write.priors());
                    line(0, write.mode().words() + " " + write.table().path());
                    line(1, "columns: " + String.join(", ", writtenColumns(write)));
                    for (DataSteps.IndexTable index : write.indexes()) {
                        line(1, "index: " + index.index().name());
                    }
                    node(1, write.source());
                }
                case DataSteps.Explained _ -> line(0, "Explain");
                case Program.SchemeStep change -> {
                    line(
                            0,
                            StepNames.name(change)
                                    + StepNames.path(change).map(path -> " " + path).orElse(""));
                    if (change instanceof Program.SchemeStep.CreateTableAs as) {
                        as.query().steps().forEach(this::source);
                    }
                }
                case Program.DataStep _ -> {}
            }
        }
        String commit = CommitFacts.of(steps, tables);
        if (!commit.isEmpty()) {
            line(0, "Commit: " + commit);
        }
        return text.toString();
    }

    private void source(Step step) {
        if (step instanceof DataSteps.Select select) {
            priors(select.priors());
            node(1, select.rows());
        }
    }

    private void priors(List<DataSteps.Prior> priors) {
        for (DataSteps.Prior prior : priors) {
            line(0, "Subquery " + prior.slot() + ": " + prior.shape());
            node(1, prior.rows());
        }
    }

    private static List<String> writtenColumns(DataSteps.Write write) {
        return Stream.concat(write.table().keyColumns().stream(), write.columns().stream())
                .map(index -> write.table().columns().get(index).name())
                .toList();
    }

    private void line(int depth, String line) {
        text.append(INDENT.repeat(depth)).append(line).append('\n');
    }

    /// Prints the node. Returns the names of its columns for the node above: as many names as its
    /// rows have values.
    private List<String> node(int depth, PlanNode node) {
        int at = text.length();
        List<String> below = new ArrayList<>();
        for (PlanNode input : Nodes.inputs(node)) {
            List<String> names = node(depth + 1, input);
            below.addAll(names);
            if (node instanceof PlanNode.Kept kept) {
                keptNames.putIfAbsent(kept.number(), names);
            }
        }
        var inputs = text.substring(at);
        text.setLength(at);
        List<String> names = head(depth, node, below);
        text.append(inputs);
        // A node with fewer columns than its inputs together, such as a union, uses the names of
        // the first input.
        List<String> given = names.subList(0, node.width());
        named.put(node, given);
        return given;
    }

    /// The names of the node's input columns. The inputs must have been printed.
    List<String> below(PlanNode node) {
        return Nodes.inputs(node).stream()
                .flatMap(input -> named.getOrDefault(input, List.of()).stream())
                .toList();
    }

    private List<String> head(int depth, PlanNode node, List<String> below) {
        switch (node) {
            case PlanNode.Once _ -> line(depth, "OneRow");
            case PlanNode.Read read -> {
                ReadFacts facts = ReadFacts.of(read, tables);
                line(depth, facts.operator() + " " + facts.table());
                line(depth + 1, "because: " + facts.because());
                line(depth + 1, "ranges: " + facts.ranges());
                facts.inferred().ifPresent(how -> line(depth + 1, "inferred: " + how));
                columns(depth + 1, facts.columns());
                families(depth + 1, facts.families());
                line(depth + 1, "tablets: " + facts.tablets());
                if (!read.pointRead()) {
                    facts.rows().ifPresent(rows -> line(depth + 1, "rows: about " + rows));
                }
                if (read.backward()) {
                    line(depth + 1, "direction: backward");
                }
                return facts.columns();
            }
            case PlanNode.ListRows list -> {
                line(depth, "ListRows " + ExpressionText.of(list.list(), List.of()));
                return AddedText.members(list);
            }
            case PlanNode.ConstantRows rows -> {
                line(depth, "Values: " + rows.rows().size() + " rows");
                return IntStream.range(0, rows.width())
                        .mapToObj(index -> "column" + index)
                        .toList();
            }
            case PlanNode.Filter filter -> {
                line(depth, "Filter " + ExpressionText.of(filter.predicate(), below));
                IndexHint.of(filter, tables).ifPresent(hint -> line(depth + 1, "hint: " + hint));
                return below;
            }
            case PlanNode.Project project -> {
                List<String> names =
                        project.values().stream()
                                .map(value -> ExpressionText.of(value, below))
                                .toList();
                line(depth, "Project " + String.join(", ", names));
                return names;
            }
            case PlanNode.HashJoin join -> {
                String on = equalities(join.left(), join.leftKeys(), join.rightKeys(), below);
                line(depth, "HashJoin " + join.kind().words() + on(on));
                join.choice().ifPresent(choice -> choice(depth + 1, choice));
                return switch (join.kind()) {
                    case RIGHT_SEMI, RIGHT_ONLY -> below.subList(join.left().width(), below.size());
                    case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION, LEFT_SEMI, LEFT_ONLY -> below;
                };
            }
            case PlanNode.MergeJoin join -> {
                String on = equalities(join.left(), join.leftKeys(), join.rightKeys(), below);
                line(depth, "MergeJoin " + join.kind().words() + on(on));
                choice(depth + 1, join.choice());
            }
            case PlanNode.LookupJoin join -> {
                return lookup(depth, join, below);
            }
            case PlanNode.Fetch fetch -> {
                List<String> columns =
                        fetch.columns().stream()
                                .map(index -> fetch.table().columns().get(index).name())
                                .toList();
                line(depth, "TableLookup " + fetch.table().path());
                columns(depth + 1, columns);
                families(depth + 1, ReadFacts.families(fetch.table(), fetch.columns()));
                return Stream.concat(below.stream(), columns.stream()).toList();
            }
            case PlanNode.Group group -> {
                return group(depth, group, below);
            }
            case PlanNode.Expand expand -> {
                return AddedText.expand(expand, below, words -> line(depth, words));
            }
            case PlanNode.Window window -> {
                return AddedText.window(window, below, words -> line(depth, words));
            }
            case PlanNode.Flatten flatten -> {
                return AddedText.flatten(flatten, below, words -> line(depth, words));
            }
            case PlanNode.FirstOfKey first ->
                    line(depth, "AnyOfKey " + ExpressionText.list(first.keys(), below));
            case PlanNode.Distinct _ -> line(depth, "Distinct");
            case PlanNode.Sort sort ->
                    line(
                            depth,
                            (sort.count().isPresent() ? "TopSort " : "Sort ")
                                    + keys(sort.keys(), below)
                                    + limits(sort.count(), sort.offset()));
            case PlanNode.Limit limit ->
                    line(depth, "Limit" + limits(limit.count(), limit.offset()));
            case PlanNode.PartLimit limit ->
                    line(
                            depth,
                            (limit.keys().isEmpty()
                                            ? "Limit"
                                            : "TopSort " + keys(limit.keys(), below))
                                    + limits(Optional.of(limit.count()), limit.offset())
                                    + " in each part");
            case PlanNode.Concat _ -> line(depth, "UnionAll");
            case PlanNode.Kept kept -> {
                line(depth, "KeepRows");
                return below.subList(kept.input().width(), below.size());
            }
            case PlanNode.KeptRows rows -> {
                line(depth, "KeptRows");
                return keptNames.getOrDefault(rows.number(), List.of());
            }
            case PlanNode.Compared compared ->
                    line(depth, compared.keepMatches() ? "Intersect" : "Except");
        }
        return below;
    }

    private void choice(int depth, JoinChoice choice) {
        line(depth, "choice: " + choice.because());
    }

    private static String on(String equalities) {
        return equalities.isEmpty() ? "" : " on " + equalities;
    }

    static String equalities(
            PlanNode leftSide, List<Typed> leftKeys, List<Typed> rightKeys, List<String> below) {
        List<String> left = below.subList(0, leftSide.width());
        List<String> right = below.subList(left.size(), below.size());
        List<String> texts = new ArrayList<>();
        for (int index = 0; index < leftKeys.size(); index++) {
            texts.add(
                    ExpressionText.of(leftKeys.get(index), left)
                            + " = "
                            + ExpressionText.of(rightKeys.get(index), right));
        }
        return String.join(" AND ", texts);
    }

    private List<String> lookup(int depth, PlanNode.LookupJoin join, List<String> below) {
        Table table = join.table();
        List<String> columns =
                join.columns().stream().map(index -> table.columns().get(index).name()).toList();
        List<String> keys = new ArrayList<>();
        for (int index = 0; index < join.keys().size(); index++) {
            keys.add(
                    table.key().get(index).name()
                            + " = "
                            + ExpressionText.of(join.keys().get(index), below));
        }
        line(depth, "LookupJoin " + join.kind().words() + " with " + table.path());
        line(depth + 1, "because: " + String.join(" AND ", keys));
        join.choice().ifPresent(choice -> choice(depth + 1, choice));
        columns(depth + 1, columns);
        families(depth + 1, ReadFacts.families(table, join.columns()));
        join.filter()
                .ifPresent(
                        filter -> line(depth + 1, "filter: " + ExpressionText.of(filter, columns)));
        return Stream.concat(below.stream(), columns.stream()).toList();
    }

    private void columns(int depth, List<String> columns) {
        line(depth, "columns: " + (columns.isEmpty() ? "none" : String.join(", ", columns)));
    }

    private void families(int depth, List<String> families) {
        if (!families.isEmpty()) {
            line(depth, "families: " + String.join(", ", families));
        }
    }

    private List<String> group(int depth, PlanNode.Group group, List<String> below) {
        List<String> names = new ArrayList<>();
        group.keys().forEach(key -> names.add(ExpressionText.of(key, below)));
        String by = names.isEmpty() ? "all rows" : "by " + String.join(", ", names);
        List<String> aggregates = aggregates(group, below);
        names.addAll(aggregates);
        line(
                depth,
                "Aggregate "
                        + by
                        + (group.inOrder() ? " in key order" : "")
                        + (aggregates.isEmpty() ? "" : ": " + String.join(", ", aggregates)));
        return names;
    }

    static List<String> aggregates(PlanNode.Group group, List<String> below) {
        return group.aggregates().stream()
                .map(call -> call.name() + "(" + ExpressionText.list(call.arguments(), below) + ")")
                .toList();
    }

    static String keys(List<SortKey> keys, List<String> below) {
        return keys.stream()
                .map(
                        key ->
                                ExpressionText.of(key.value(), below)
                                        + (key.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
    }

    private static String limits(Optional<Typed> count, Optional<Typed> offset) {
        return count.map(value -> " " + ExpressionText.of(value, List.of())).orElse("")
                + offset.map(value -> " offset " + ExpressionText.of(value, List.of())).orElse("");
    }
}
