package io.cleave.plan;

import io.cleave.plan.Program.Step;
import io.cleave.schema.Tables;
import io.cleave.typed.TypedStatement.WriteMode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Prints a plan in the form of YDB's JSON: nested nodes, each with its operators, and a list of
/// the tables with their reads and writes.
final class PlanJson {
    private final Tables tables;

    /// The reads and the writes of each table.
    private final Map<String, Map<String, List<Object>>> touched = new LinkedHashMap<>();

    /// Provides the names of columns.
    private final PlanTree tree;

    private int nextId;

    PlanJson(Tables tables) {
        this.tables = tables;
        this.tree = new PlanTree(tables);
    }

    /// The plan of programs that run one after the other, each in its own transaction.
    String text(List<List<Step>> programs) {
        programs.forEach(tree::text);
        List<Object> plans = new ArrayList<>();
        programs.forEach(steps -> steps.forEach(step -> step(step, plans)));
        Map<String, Object> plan = root("Query", plans);
        // Tools expect this field even if the list is empty.
        plan.put("Plans", plans);
        List<String> commits =
                programs.stream()
                        .map(steps -> CommitFacts.of(steps, tables))
                        .filter(commit -> !commit.isEmpty())
                        .toList();
        if (!commits.isEmpty()) {
            plan.put("Commit", String.join("; then ", commits));
        }
        List<Object> tableList = new ArrayList<>();
        touched.forEach(
                (name, uses) -> {
                    Map<String, Object> table = object("name", name);
                    table.putAll(uses);
                    tableList.add(table);
                });
        return JsonText.of(
                object(
                        "meta",
                        object("version", "0.2", "type", "query"),
                        "Plan",
                        plan,
                        "tables",
                        tableList,
                        "SimplifiedPlan",
                        LogicalPlan.of(plan)));
    }

    private void step(Step step, List<Object> plans) {
        switch (step) {
            case DataSteps.Select select -> {
                priors(select.priors(), plans);
                plans.add(root("ResultSet", List.of(node(select.rows()))));
            }
            case DataSteps.Write write -> {
                priors(write.priors(), plans);
                plans.add(write(write));
            }
            case Program.SchemeStep change -> {
                List<Object> sources = new ArrayList<>();
                if (change instanceof Program.SchemeStep.CreateTableAs as) {
                    as.query().steps().forEach(source -> step(source, sources));
                }
                Map<String, Object> node = parent(StepNames.name(change), sources);
                StepNames.path(change).ifPresent(path -> node.put("Path", path));
                plans.add(node);
            }
            case Program.DataStep _ -> {}
        }
    }

    private void priors(List<DataSteps.Prior> priors, List<Object> plans) {
        priors.forEach(
                prior ->
                        plans.add(
                                parent("Precompute_" + prior.slot(), List.of(node(prior.rows())))));
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int index = 0; index < namesAndValues.length; index += 2) {
            object.put((String) namesAndValues[index], namesAndValues[index + 1]);
        }
        return object;
    }

    /// Creates a node. The nodes below it must exist already and have the smaller ids.
    private Map<String, Object> parent(String type, List<Object> plans) {
        Map<String, Object> node = object("PlanNodeId", nextId++, "Node Type", type);
        if (!plans.isEmpty()) {
            node.put("Plans", plans);
        }
        return node;
    }

    /// A node that does no work itself. Tools recognize it by its kind.
    private Map<String, Object> root(String type, List<Object> plans) {
        Map<String, Object> node = parent(type, plans);
        node.put("PlanNodeType", type);
        return node;
    }

    private Object write(DataSteps.Write write) {
        String name = write.mode() == WriteMode.ERASE ? "Delete" : "Upsert";
        List<String> columns =
                write.columns().stream()
                        .map(index -> write.table().columns().get(index).name())
                        .toList();
        touch(write.table().path(), "writes", object("type", "Multi" + name, "columns", columns));
        Map<String, Object> node = parent(name, List.of(node(write.source())));
        node.put(
                "Operators",
                List.of(object("Name", name, "Table", write.table().path(), "Columns", columns)));
        return node;
    }

    private void touch(String table, String kind, Object use) {
        touched.computeIfAbsent(table, _ -> new LinkedHashMap<>())
                .computeIfAbsent(kind, _ -> new ArrayList<>())
                .add(use);
    }

    private Object node(PlanNode node) {
        List<Object> inputs = new ArrayList<>();
        Nodes.inputs(node).forEach(input -> inputs.add(node(input)));
        String type =
                switch (node) {
                    case PlanNode.Read read -> {
                        yield ReadFacts.of(read, tables).operator();
                    }
                    case PlanNode.Once _, PlanNode.ConstantRows _, PlanNode.ListRows _ ->
                            "ConstantExpr";
                    case PlanNode.Filter _ -> "Filter";
                    case PlanNode.Project _ -> "Map";
                    case PlanNode.HashJoin join -> PlanOperators.join(join.kind(), "HashJoin");
                    case PlanNode.MergeJoin join -> PlanOperators.join(join.kind(), "MergeJoin");
                    case PlanNode.LookupJoin _ -> "TableLookupJoin";
                    case PlanNode.Fetch _ -> "TableLookup";
                    case PlanNode.Group _ -> "Aggregate";
                    case PlanNode.Expand _ -> "GroupingSets";
                    case PlanNode.Window _ -> "Window";
                    case PlanNode.Flatten _ -> "Flatten";
                    case PlanNode.FirstOfKey _ -> "AnyOfKey";
                    case PlanNode.Distinct _ -> "Distinct";
                    case PlanNode.Sort sort -> sort.count().isPresent() ? "TopSort" : "Sort";
                    case PlanNode.Limit _ -> "Limit";
                    case PlanNode.PartLimit limit ->
                            limit.keys().isEmpty() ? "Limit (InEachPart)" : "TopSort (InEachPart)";
                    case PlanNode.Concat _ -> "UnionAll";
                    case PlanNode.Kept _ -> "KeepRows";
                    case PlanNode.KeptRows _ -> "KeptRows";
                    case PlanNode.Compared _ -> "Compare";
                };
        Map<String, Object> plan = parent(type, inputs);
        if (node instanceof PlanNode.Filter filter) {
            IndexHint.of(filter, tables).ifPresent(hint -> plan.put("Hint", hint));
        }
        choice(node)
                .ifPresent(
                        choice -> {
                            plan.put("Because", choice.because());
                            plan.put("E-LeftRows", "" + choice.leftRows());
                            plan.put("E-RightRows", "" + choice.rightRows());
                        });
        if (node instanceof PlanNode.Read read) {
            read(plan, read);
        } else if (node instanceof PlanNode.Fetch fetch) {
            fetch(plan, fetch);
        } else if (node instanceof PlanNode.LookupJoin join) {
            List<String> columns =
                    join.columns().stream()
                            .map(index -> join.table().columns().get(index).name())
                            .toList();
            List<String> keys =
                    join.table().key().stream()
                            .limit(join.keys().size())
                            .map(column -> column.name())
                            .toList();
            plan.put(
                    "Operators",
                    List.of(
                            object(
                                    "Name",
                                    "TableLookup",
                                    "Table",
                                    join.table().path(),
                                    "LookupKeyColumns",
                                    keys,
                                    "ReadColumns",
                                    columns)));
            touch(
                    join.table().path(),
                    "reads",
                    object("type", "Lookup", "lookup_by", keys, "columns", columns));
        } else {
            plan.put("Operators", List.of(PlanOperators.of(type, node, tree.below(node))));
        }
        return plan;
    }

    private static Optional<JoinChoice> choice(PlanNode node) {
        return switch (node) {
            case PlanNode.HashJoin join -> join.choice();
            case PlanNode.MergeJoin join -> Optional.of(join.choice());
            case PlanNode.LookupJoin join -> join.choice();
            default -> Optional.empty();
        };
    }

    private void fetch(Map<String, Object> plan, PlanNode.Fetch fetch) {
        String table = fetch.table().path();
        List<String> columns =
                fetch.columns().stream()
                        .map(index -> fetch.table().columns().get(index).name())
                        .toList();
        List<String> keys = fetch.table().key().stream().map(column -> column.name()).toList();
        plan.put("Tables", List.of(table));
        plan.put(
                "Operators",
                List.of(
                        object(
                                "Name",
                                "TableLookup",
                                "Table",
                                table,
                                "LookupKeyColumns",
                                keys,
                                "ReadColumns",
                                columns)));
        touch(table, "reads", object("type", "Lookup", "lookup_by", keys, "columns", columns));
    }

    private void read(Map<String, Object> plan, PlanNode.Read read) {
        ReadFacts facts = ReadFacts.of(read, tables);
        plan.put("Tables", List.of(facts.table()));
        Map<String, Object> operator =
                object(
                        "Name",
                        facts.operator(),
                        "Table",
                        facts.table(),
                        "ReadRange",
                        List.of(facts.ranges()),
                        "ReadColumns",
                        facts.columns(),
                        "Reverse",
                        read.backward(),
                        "Tablets",
                        facts.tablets(),
                        "Because",
                        facts.because());
        if (!facts.families().isEmpty()) {
            operator.put("ReadFamilies", facts.families());
        }
        facts.inferred().ifPresent(how -> operator.put("Inferred", how));
        facts.rows().ifPresent(rows -> operator.put("E-Rows", "" + rows));
        plan.put("Operators", List.of(operator));
        String type =
                switch (facts.operator()) {
                    case "TablePointLookup" -> "Lookup";
                    case "TableFullScan" -> "FullScan";
                    default -> "Scan";
                };
        touch(
                facts.table(),
                "reads",
                object(
                        "type",
                        type,
                        "scan_by",
                        List.of(facts.ranges()),
                        "columns",
                        facts.columns()));
    }
}
