package io.cleave.yt.table.query;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtLiteralText;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The values of the placeholders of a query, as texts of the language. A list becomes a tuple.
final class PlaceholderValues {
    private PlaceholderValues() {}

    static Map<String, String> of(CommandParameters parameters) {
        Optional<YsonNode> given = parameters.find("placeholder_values");
        if (given.isEmpty()) {
            return Map.of();
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
        Map<String, String> texts = new HashMap<>();
        members.forEach((name, value) -> texts.put(name.utf8(), text(value)));
        return texts;
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
            case YsonNode.Members _ ->
                    throw new YtException(
                            YtCodes.GENERIC, "Maps inside YSON placeholder are not allowed");
            case YsonNode.Attributed _ ->
                    throw new YtException(
                            YtCodes.GENERIC, "Attributes inside YSON placeholder are not allowed");
        };
    }
}
