package io.cleave.yt.table.query;

import io.cleave.base.Bytes;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtLiteralText;
import io.cleave.ytql.YtPlaceholder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The values of the placeholders of a query.
///
/// @param values the values as the client sent them; none has a map or an attribute inside
/// @param literals the values that can be sent with each run of a query, so that one program serves
///   all values; a placeholder has one literal, or the literals of a list
record PlaceholderValues(Map<String, YsonNode> values, Map<String, List<YtLiteral>> literals) {
    private static final PlaceholderValues NONE = new PlaceholderValues(Map.of(), Map.of());

    PlaceholderValues {
        values = Map.copyOf(values);
        literals = Map.copyOf(literals);
    }

    /// The placeholders, all replaced by texts of the language; a list becomes a tuple.
    Map<String, YtPlaceholder> asTexts() {
        Map<String, YtPlaceholder> all = HashMap.newHashMap(values.size());
        values.forEach((name, value) -> all.put(name, new YtPlaceholder.Text(text(value))));
        return all;
    }

    /// The placeholders. Their values are sent where that is possible, and replaced by texts
    /// elsewhere.
    Map<String, YtPlaceholder> asSent() {
        Map<String, YtPlaceholder> all = HashMap.newHashMap(values.size());
        values.forEach((name, value) -> all.put(name, asSent(name, value)));
        return all;
    }

    private YtPlaceholder asSent(String name, YsonNode value) {
        List<YtLiteral> sent = literals.get(name);
        if (sent == null) {
            return new YtPlaceholder.Text(text(value));
        }
        YtType type = sent.getFirst().type();
        return value instanceof YsonNode.Items
                ? new YtPlaceholder.SentList(type)
                : new YtPlaceholder.Sent(type);
    }

    static PlaceholderValues of(CommandParameters parameters) {
        Optional<YsonNode> given = parameters.find("placeholder_values");
        if (given.isEmpty()) {
            return NONE;
        }
        YsonNode values = given.get().bare();
        if (values instanceof YsonNode.Text(Bytes text)) {
            values =
                    YsonNode.parse(text)
                            .orElseThrow(
                                    () ->
                                            new YtException(
                                                    YtCodes.GENERIC,
                                                    "Placeholder values are not well-formed YSON"))
                            .bare();
        }
        if (!(values instanceof YsonNode.Members(var members))) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Incorrect placeholder argument: YSON map expected, got \"%s\""
                            .formatted(CommandParameters.typeName(values)));
        }
        Map<String, YsonNode> named = HashMap.newHashMap(members.size());
        Map<String, List<YtLiteral>> literals = HashMap.newHashMap(members.size());
        members.forEach(
                (key, value) -> {
                    String name = key.utf8();
                    named.put(name, value);
                    if (value instanceof YsonNode.Items(List<YsonNode> items)) {
                        items.forEach(PlaceholderValues::check);
                        list(items).ifPresent(list -> literals.put(name, list));
                    } else {
                        check(value);
                        literal(value).ifPresent(literal -> literals.put(name, List.of(literal)));
                    }
                });
        return new PlaceholderValues(named, literals);
    }

    /// Refuses what has no text.
    private static void check(YsonNode value) {
        switch (value) {
            case YsonNode.Items(List<YsonNode> items) -> items.forEach(PlaceholderValues::check);
            case YsonNode.Members _ ->
                    throw new YtException(
                            YtCodes.GENERIC, "Maps inside YSON placeholder are not allowed");
            case YsonNode.Attributed _ ->
                    throw new YtException(
                            YtCodes.GENERIC, "Attributes inside YSON placeholder are not allowed");
            default -> {}
        }
    }

    /// The literals of a list, if all its items can be sent and have the same type.
    private static Optional<List<YtLiteral>> list(List<YsonNode> items) {
        List<YtLiteral> all = new ArrayList<>(items.size());
        for (YsonNode item : items) {
            Optional<YtLiteral> literal = literal(item);
            if (literal.isEmpty()
                    || (!all.isEmpty() && all.getFirst().type() != literal.get().type())) {
                return Optional.empty();
            }
            all.add(literal.get());
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /// The literal of a value, if it can be sent. NULL and doubles that are not numbers cannot be
    /// sent, because comparisons have special rules for them.
    private static Optional<YtLiteral> literal(YsonNode value) {
        return Optional.ofNullable(
                switch (value) {
                    case YsonNode.Bool(boolean bool) ->
                            new YtLiteral(YtType.BOOLEAN, Value.bool(bool));
                    case YsonNode.Int64(long number) ->
                            new YtLiteral(YtType.INT64, Value.of(number));
                    case YsonNode.Uint64(long number) ->
                            new YtLiteral(YtType.UINT64, Value.of(number));
                    case YsonNode.Real(double real) when Double.isFinite(real) ->
                            new YtLiteral(YtType.DOUBLE, Value.of(real));
                    case YsonNode.Text(Bytes bytes) ->
                            new YtLiteral(YtType.STRING, Value.binary(bytes));
                    default -> null;
                });
    }

    private static String text(YsonNode value) {
        return switch (value) {
            case YsonNode.Entity _ -> "null";
            case YsonNode.Bool(boolean bool) -> bool ? "true" : "false";
            case YsonNode.Int64(long number) -> Long.toString(number);
            case YsonNode.Uint64(long number) -> Long.toUnsignedString(number) + "u";
            case YsonNode.Real(double real) -> YtLiteralText.of(real);
            case YsonNode.Text(Bytes bytes) -> YtLiteralText.of(bytes);
            case YsonNode.Items(List<YsonNode> items) ->
                    items.stream()
                            .map(PlaceholderValues::text)
                            .collect(Collectors.joining(", ", "(", ")"));
            case YsonNode.Members _, YsonNode.Attributed _ ->
                    throw new IllegalStateException("was checked: " + value);
        };
    }
}
