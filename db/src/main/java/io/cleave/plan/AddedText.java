package io.cleave.plan;

import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFrame;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Prints the plan lines of nodes that add columns to rows or create rows. Each method returns the
/// names of the columns above its node.
final class AddedText {
    private AddedText() {}

    static List<String> expand(PlanNode.Expand expand, List<String> below, Consumer<String> line) {
        List<String> names = new ArrayList<>();
        expand.keys().forEach(key -> names.add(ExpressionText.of(key, below)));
        String sets =
                expand.sets().stream()
                        .filter(set -> !set.isEmpty())
                        .map(
                                set ->
                                        set.stream()
                                                .sorted()
                                                .map(names::get)
                                                .collect(Collectors.joining(", ", "(", ")")))
                        .collect(Collectors.joining(", "));
        line.accept("GroupingSets " + sets);
        names.add("set");
        names.addAll(below);
        return names;
    }

    static List<String> window(PlanNode.Window window, List<String> below, Consumer<String> line) {
        List<String> names = new ArrayList<>(below);
        for (WindowCall call : window.calls()) {
            names.add(call.name() + "(" + ExpressionText.list(call.arguments(), below) + ")");
        }
        String partition =
                window.partition().isEmpty()
                        ? "all rows"
                        : "by " + ExpressionText.list(window.partition(), below);
        String order =
                window.order().isEmpty()
                        ? ""
                        : " in order of " + ExpressionText.list(window.order(), below);
        List<String> calls = new ArrayList<>();
        for (int index = 0; index < window.calls().size(); index++) {
            WindowFrame frame = window.calls().get(index).frame();
            String name = names.get(below.size() + index);
            calls.add(frame.isWhole() ? name : name + " " + frame(frame));
        }
        line.accept("Window " + partition + order + ": " + String.join(", ", calls));
        return names;
    }

    private static String frame(WindowFrame frame) {
        return frame.text(offset(frame.from()), offset(frame.to()));
    }

    private static String offset(WindowFrame.Bound bound) {
        return bound.offset().map(value -> ExpressionText.of(value, List.of())).orElse("");
    }

    static List<String> flatten(
            PlanNode.Flatten flatten, List<String> below, Consumer<String> line) {
        List<String> names = new ArrayList<>(below);
        flatten.containers()
                .forEach(container -> names.add("item of " + ExpressionText.of(container, below)));
        line.accept("Flatten " + ExpressionText.list(flatten.containers(), below));
        return names;
    }

    /// The names of the members that are taken from the structs of a list.
    static List<String> members(PlanNode.ListRows list) {
        return list.list().type() instanceof Type.ListOf(Type.Struct(List<Type.Member> members))
                ? list.members().stream().map(index -> members.get(index).name()).toList()
                : list.members().stream().map(index -> "#" + index).toList();
    }
}
