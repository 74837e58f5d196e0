package io.cleave.function.text;

import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.NamedArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// SplitToList and JoinFromList of the modules `String` and `Unicode`.
final class Splitting {
    private Splitting() {}

    /// `SplitToList(text, delimiter[, true AS DelimeterString][, false AS SkipEmpty][, n AS
    /// Limit])`. If DelimeterString is false, each character of the delimiter is a delimiter. NULL
    /// gives an empty list.
    static Typed split(FunctionCall call, Type type) {
        call.expect(2, 5);
        var named = new NamedArguments(call, 2, "DelimeterString", "SkipEmpty", "Limit");
        boolean whole = named.flag("DelimeterString", true);
        boolean skipEmpty = named.flag("SkipEmpty", false);
        int limit = named.number("Limit", 0);
        Typed delimiter = call.as(1, type);
        Type list = new Type.ListOf(type);
        return call.applyLong(
                delimiter.type().isOptional() ? list.optional() : list,
                List.of(call.as(0, type), delimiter),
                (a, run) -> {
                    if (a[1].isNull()) {
                        return a[1];
                    }
                    if (a[0].isNull()) {
                        return Value.items(List.of());
                    }
                    var parts = new ArrayList<Value>();
                    String text = Texts.letters(type, a[0]);
                    String cuts = Texts.letters(type, a[1]);
                    for (String part :
                            InterruptibleLists.over(parts(text, cuts, whole, limit, run), run)) {
                        if (!skipEmpty || !part.isEmpty()) {
                            parts.add(Texts.ofLetters(type, part));
                        }
                    }
                    return Value.items(parts);
                });
    }

    private static List<String> parts(
            String text, String delimiter, boolean whole, int limit, ScalarFunction.Run run) {
        var parts = new ArrayList<String>();
        int from = 0;
        int at = 0;
        int steps = 0;
        while (at < text.length() && !delimiter.isEmpty() && (limit == 0 || parts.size() < limit)) {
            steps = Finding.passed(steps, delimiter.length(), run);
            int letter = text.codePointAt(at);
            boolean cut = whole ? text.startsWith(delimiter, at) : delimiter.indexOf(letter) >= 0;
            if (cut) {
                parts.add(text.substring(from, at));
                from = at + (whole ? delimiter.length() : Character.charCount(letter));
                at = from;
            } else {
                at += Character.charCount(letter);
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    /// `JoinFromList(list, delimiter)`; NULLs are skipped.
    static Typed join(FunctionCall call, Type type) {
        call.expect(2);
        Typed list = Lists.argument(call, 0);
        Type item = Lists.item(call).unwrapped();
        if (!Texts.isString(item) && item != Type.Unit.NULL) {
            throw call.error("Expected list of strings, but got: " + list.type().text());
        }
        if (type == Primitive.UTF8 && item == Primitive.STRING) {
            Type wanted = Lists.item(call).isOptional() ? type.optional() : type;
            list =
                    Conversions.literal(list, new Type.ListOf(wanted))
                            .orElseThrow(
                                    () ->
                                            call.error(
                                                    "Expected list of Utf8, but got: "
                                                            + call.type(0).text()));
        }
        return call.strictLong(
                type,
                List.of(list, call.as(1, type)),
                (a, run) -> {
                    List<String> parts =
                            InterruptibleLists.stream(Lists.items(a[0]), run)
                                    .filter(part -> !part.isNull())
                                    .map(part -> Texts.letters(type, part))
                                    .toList();
                    return Texts.ofLetters(type, joined(parts, Texts.letters(type, a[1])));
                });
    }

    static String joined(List<String> parts, String delimiter) {
        long length = (long) delimiter.length() * Math.max(0, parts.size() - 1);
        for (String part : parts) {
            length += part.length();
        }
        ValueSizes.requireBytes(length);
        return String.join(delimiter, parts);
    }
}
