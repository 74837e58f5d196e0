package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// SplitToList and JoinFromList of the modules `String` and `Unicode`.
final class Splitting {
    private Splitting() {}

    /// `SplitToList(text, delimiter[, true AS SkipEmpty][, false AS DelimeterString][, n AS
    /// Limit])`; without DelimeterString each letter of the delimiter is one.
    static Typed split(FunctionCall call, Type type) {
        call.expect(2, 5);
        boolean skipEmpty = flag(call, "SkipEmpty", false);
        boolean whole = flag(call, "DelimeterString", true);
        int limit = limit(call);
        return call.strict(
                new Type.ListOf(type),
                List.of(call.as(0, type), call.as(1, type)),
                a -> {
                    var parts = new ArrayList<Value>();
                    for (String part : parts(Texts.of(a[0]), Texts.of(a[1]), whole, limit)) {
                        if (!skipEmpty || !part.isEmpty()) {
                            parts.add(Texts.value(type, part));
                        }
                    }
                    return Value.items(parts);
                });
    }

    private static List<String> parts(String text, String delimiter, boolean whole, int limit) {
        var parts = new ArrayList<String>();
        int from = 0;
        int at = 0;
        int width = whole ? delimiter.length() : 1;
        while (at < text.length() && width > 0 && (limit == 0 || parts.size() < limit)) {
            boolean cut =
                    whole
                            ? text.startsWith(delimiter, at)
                            : delimiter.indexOf(text.charAt(at)) >= 0;
            if (cut) {
                parts.add(text.substring(from, at));
                from = at + width;
                at = from;
            } else {
                at++;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static boolean flag(FunctionCall call, String name, boolean otherwise) {
        for (int index = 2; index < call.count(); index++) {
            if (call.label(index).orElse("").equals(name)) {
                if (call.value(index) instanceof Typed.Constant(_, Value.Bool(boolean flag))) {
                    return flag;
                }
                throw call.error("Expected literal bool for " + name);
            }
        }
        return otherwise;
    }

    private static int limit(FunctionCall call) {
        for (int index = 2; index < call.count(); index++) {
            if (call.label(index).orElse("").equals("Limit")) {
                return Math.max(call.number(index), 0);
            }
        }
        return 0;
    }

    /// `JoinFromList(list, delimiter)`; NULLs are left out.
    static Typed join(FunctionCall call, Type type) {
        call.expect(2);
        Typed list = ListFunctions.list(call, 0);
        Type item = ListFunctions.item(call).unwrapped();
        if (!StringFunctions.isString(item) && item != Type.Unit.NULL) {
            throw call.error("Expected list of strings, but got: " + list.type().text());
        }
        if (type == Primitive.UTF8 && item == Primitive.STRING) {
            throw call.error("Expected list of Utf8, but got: " + list.type().text());
        }
        return call.strict(
                type,
                List.of(list, call.as(1, type)),
                a -> {
                    List<String> parts =
                            ListFunctions.items(a[0]).stream()
                                    .filter(part -> !part.isNull())
                                    .map(Texts::of)
                                    .toList();
                    return Texts.value(type, joined(parts, Texts.of(a[1])));
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
