package io.cleave.function.text;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Texts;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;

import java.util.List;

/// The Replace and Remove functions of the modules `String` and `Unicode`. Replace searches for a
/// whole string, Remove for any character of a string.
enum Replacing {
    ALL,
    FIRST,
    LAST,
    ALL_LETTERS,
    FIRST_LETTER,
    LAST_LETTER;

    /// `type` is the string type of the module.
    static Typed resolve(FunctionCall call, Type type, Replacing how, int count) {
        call.expect(count);
        List<Typed> arguments =
                count == 3
                        ? List.of(call.as(0, type), call.as(1, type), call.as(2, type))
                        : List.of(call.as(0, type), call.as(1, type));
        return call.strictLong(
                type,
                arguments,
                (a, run) ->
                        Texts.ofLetters(
                                type,
                                how.apply(
                                        Texts.letters(type, a[0]),
                                        Texts.letters(type, a[1]),
                                        count == 3 ? Texts.letters(type, a[2]) : "",
                                        run)));
    }

    private String apply(String text, String wanted, String with, ScalarFunction.Run run) {
        return switch (this) {
            case ALL -> wanted.isEmpty() ? text : replaced(text, wanted, with, run);
            case FIRST -> spliced(text, Finding.index(text, wanted, 0, run), wanted.length(), with);
            case LAST -> {
                int place = Finding.lastIndex(text, wanted, text.length(), run);
                yield spliced(text, place, wanted.length(), with);
            }
            case ALL_LETTERS -> {
                var out = new StringBuilder();
                int steps = 0;
                for (int letter : text.codePoints().toArray()) {
                    steps = Finding.passed(steps, wanted.length(), run);
                    if (wanted.indexOf(letter) < 0) {
                        out.appendCodePoint(letter);
                    }
                }
                yield out.toString();
            }
            case FIRST_LETTER, LAST_LETTER -> {
                int place = -1;
                int width = 0;
                int index = 0;
                int steps = 0;
                while (index < text.length() && (this == LAST_LETTER || place < 0)) {
                    steps = Finding.passed(steps, wanted.length(), run);
                    int letter = text.codePointAt(index);
                    if (wanted.indexOf(letter) >= 0) {
                        place = index;
                        width = Character.charCount(letter);
                    }
                    index += Character.charCount(letter);
                }
                yield spliced(text, place, width, "");
            }
        };
    }

    private static String replaced(
            String text, String wanted, String with, ScalarFunction.Run run) {
        int at = Finding.index(text, wanted, 0, run);
        if (at < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        int from = 0;
        while (at >= 0) {
            run.pass(1);
            out.append(text, from, at).append(with);
            ValueSizes.requireBytes(out.length());
            from = at + wanted.length();
            at = Finding.index(text, wanted, from, run);
        }
        return out.append(text, from, text.length()).toString();
    }

    private static String spliced(String text, int from, int length, String with) {
        return from < 0 ? text : text.substring(0, from) + with + text.substring(from + length);
    }
}
