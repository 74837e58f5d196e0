package io.cleave.analysis;

import io.cleave.value.Type;

import java.util.List;

/// The Replace and Remove functions of the modules `String` and `Unicode`. Replace looks for a
/// whole text, Remove for any of the letters of one.
enum Replacing {
    ALL,
    FIRST,
    LAST,
    ALL_LETTERS,
    FIRST_LETTER,
    LAST_LETTER;

    /// `type` is that of the module's strings.
    static Typed resolve(FunctionCall call, Type type, Replacing how, int count) {
        call.expect(count);
        List<Typed> arguments =
                count == 3
                        ? List.of(call.as(0, type), call.as(1, type), call.as(2, type))
                        : List.of(call.as(0, type), call.as(1, type));
        return call.strict(
                type,
                arguments,
                a ->
                        Texts.ofLetters(
                                type,
                                how.apply(
                                        Texts.letters(type, a[0]),
                                        Texts.letters(type, a[1]),
                                        count == 3 ? Texts.letters(type, a[2]) : "")));
    }

    private String apply(String text, String wanted, String with) {
        return switch (this) {
            case ALL -> {
                if (wanted.isEmpty()) {
                    yield text;
                }
                requireSize(text, wanted, with);
                yield text.replace(wanted, with);
            }
            case FIRST -> spliced(text, text.indexOf(wanted), wanted.length(), with);
            case LAST -> spliced(text, text.lastIndexOf(wanted), wanted.length(), with);
            case ALL_LETTERS ->
                    text.codePoints()
                            .filter(c -> wanted.indexOf(c) < 0)
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            case FIRST_LETTER, LAST_LETTER -> {
                int place = -1;
                int width = 0;
                int index = 0;
                while (index < text.length() && (this == LAST_LETTER || place < 0)) {
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

    private static void requireSize(String text, String wanted, String with) {
        long longer = (long) with.length() - wanted.length();
        long most = text.length() + longer * (long) (text.length() / wanted.length());
        if (most <= ValueSizes.MAX_BYTES) {
            return;
        }
        long length = text.length();
        int at = text.indexOf(wanted);
        while (at >= 0) {
            length += longer;
            at = text.indexOf(wanted, at + wanted.length());
        }
        ValueSizes.requireBytes(length);
    }

    private static String spliced(String text, int from, int length, String with) {
        return from < 0 ? text : text.substring(0, from) + with + text.substring(from + length);
    }
}
