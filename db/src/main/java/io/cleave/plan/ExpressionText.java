package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.base.Surrogates;
import io.cleave.typed.Typed;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Prints typed expressions for a reader of a plan. `columns` has the names of the row's columns.
final class ExpressionText {
    private static final int MAX_ITEMS = 5;
    private static final int MAX_TEXT = 40;

    private ExpressionText() {}

    static String of(Typed expression, List<String> columns) {
        return switch (expression) {
            case Typed.Constant(Type type, Value value) -> value(type, value);
            case Typed.Input(_, int index) ->
                    index < columns.size() ? columns.get(index) : "#" + index;
            case Typed.Parameter(_, String name) -> name;
            case Typed.LambdaArgument(_, int level, int index) -> "$arg" + level + "_" + index;
            case Typed.SubQueryResult(_, int slot) -> "subquery " + slot;
            case Typed.Apply apply ->
                    apply.function().name() + "(" + list(apply.arguments(), columns) + ")";
            case Typed.ApplyLambdas apply ->
                    apply.function().name() + "(" + list(apply.arguments(), columns) + ", …)";
            case Typed.Convert convert -> of(convert.operand(), columns);
            case Typed.Compare(_, Typed.Comparison comparison, Typed left, Typed right) ->
                    of(left, columns) + " " + sign(comparison) + " " + of(right, columns);
            case Typed.And(_, List<Typed> terms) -> joined(terms, " AND ", columns);
            case Typed.Or(_, List<Typed> terms) -> "(" + joined(terms, " OR ", columns) + ")";
            case Typed.Not(_, Typed operand) -> "NOT (" + of(operand, columns) + ")";
            case Typed.IsNull(_, Typed operand) -> of(operand, columns) + " IS NULL";
            case Typed.In in -> of(in.operand(), columns) + " IN " + of(in.collection(), columns);
            case Typed.Coalesce(_, List<Typed> arguments) ->
                    "COALESCE(" + list(arguments, columns) + ")";
            case Typed.Choose _ -> "CASE … END";
            case Typed.ItemOf item -> of(item.operand(), columns) + "." + item.index();
            case Typed.ItemsOf(_, List<Typed> items) -> "(" + list(items, columns) + ")";
        };
    }

    static String list(List<Typed> expressions, List<String> columns) {
        return joined(expressions, ", ", columns);
    }

    private static String joined(List<Typed> parts, String by, List<String> columns) {
        return parts.stream().map(part -> of(part, columns)).collect(Collectors.joining(by));
    }

    static String sign(Typed.Comparison comparison) {
        return switch (comparison) {
            case EQUAL -> "=";
            case NOT_EQUAL -> "!=";
            case LESS -> "<";
            case LESS_OR_EQUAL -> "<=";
            case GREATER -> ">";
            case GREATER_OR_EQUAL -> ">=";
        };
    }

    static String value(Type type, Value value) {
        return switch (value) {
            case Value.Null _ -> "NULL";
            case Value.Text(String text) -> quoted(text);
            case Value.Binary(Bytes bytes) -> quoted(bytes.utf8());
            case Value.Items(List<Value> items) -> {
                List<String> texts = new ArrayList<>();
                InList.forEach(
                        type,
                        Value.items(items.subList(0, Math.min(items.size(), MAX_ITEMS))),
                        (itemType, item) -> texts.add(value(itemType, item)));
                if (items.size() > MAX_ITEMS) {
                    texts.add("…");
                }
                yield "(" + String.join(", ", texts) + ")";
            }
            default -> TextForm.print(type, value);
        };
    }

    private static String quoted(String text) {
        String cut = text.length() > MAX_TEXT ? Surrogates.cut(text, MAX_TEXT) + "…" : text;
        return "\"" + cut.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
