package io.cleave.exec;

import io.cleave.value.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Prints a JSON plan as YDB's command line does: the plan as a tree, in which an operator is `Name
/// (Field: value, …)` with its fields in the order of their names, and the logical plan as a table,
/// whose estimates stand in columns of their own.
final class PlanPrinter {
    private static final List<String> ESTIMATES = List.of("E-Cost", "E-Rows", "E-Size");

    private final StringBuilder out = new StringBuilder();

    private PlanPrinter() {}

    static String print(String json) {
        var plan = (Json.Members) Json.parse(json).orElseThrow();
        var printer = new PlanPrinter();
        for (Json below : plans(member(plan, "Plan"))) {
            printer.tree(below, List.of());
        }
        printer.out.append("E-Cost | E-Rows | E-Size | Operation\n");
        for (Json below : plans(member(plan, "SimplifiedPlan"))) {
            printer.table(below, "");
        }
        return printer.out.toString();
    }

    private static Json.Members member(Json.Members node, String name) {
        return (Json.Members) node.members().get(name);
    }

    /// The root has them even if there are none.
    private static List<Json> plans(Json.Members root) {
        return ((Json.Array) root.members().get("Plans")).items();
    }

    private void tree(Json plan, List<Boolean> lasts) {
        Map<String, Json> node = ((Json.Members) plan).members();
        var indent = new StringBuilder();
        for (int level = 0; level + 1 < lasts.size(); level++) {
            indent.append(lasts.get(level) ? "   " : "|  ");
        }
        String edge = lasts.isEmpty() ? "" : lasts.getLast() ? "└──" : "├──";
        for (String line : operators(node, List.of())) {
            out.append(indent).append(edge).append(line).append('\n');
        }
        if (node.get("Tables") != null) {
            out.append(indent).append(lasts.isEmpty() ? "" : lasts.getLast() ? "   " : "|  ");
            out.append("Tables: ").append(text(node.get("Tables"))).append('\n');
        }
        if (node.get("Plans") instanceof Json.Array(List<Json> below)) {
            for (int index = 0; index < below.size(); index++) {
                List<Boolean> deeper = new ArrayList<>(lasts);
                deeper.add(index + 1 == below.size());
                tree(below.get(index), deeper);
            }
        }
    }

    private void table(Json plan, String indent) {
        Map<String, Json> node = ((Json.Members) plan).members();
        List<String> lines = operators(node, ESTIMATES);
        for (int index = 0; index < lines.size(); index++) {
            for (String estimate : ESTIMATES) {
                Json value =
                        node.get("Operators") instanceof Json.Array(List<Json> all)
                                ? ((Json.Members) all.get(index)).members().get(estimate)
                                : null;
                // The command line takes them for strings.
                out.append(value == null ? "" : ((Json.Text) value).value()).append(" | ");
            }
            out.append(indent).append(lines.get(index)).append('\n');
        }
        if (node.get("Plans") instanceof Json.Array(List<Json> below)) {
            below.forEach(next -> table(next, indent + "  "));
        }
    }

    private static List<String> operators(Map<String, Json> node, List<String> without) {
        if (!(node.get("Operators") instanceof Json.Array(List<Json> operators))) {
            return List.of(text(node.get("Node Type")));
        }
        List<String> lines = new ArrayList<>();
        for (Json operator : operators) {
            Map<String, Json> fields = ((Json.Members) operator).members();
            List<String> infos =
                    fields.keySet().stream()
                            .filter(name -> !name.equals("Name") && !without.contains(name))
                            .sorted()
                            .map(name -> name + ": " + text(fields.get(name)))
                            .toList();
            String name = text(fields.get("Name"));
            lines.add(infos.isEmpty() ? name : name + " (" + String.join(", ", infos) + ")");
        }
        return lines;
    }

    private static String text(Json value) {
        return value instanceof Json.Text(String text) ? text : value.print();
    }
}
