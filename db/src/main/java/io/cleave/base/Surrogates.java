package io.cleave.base;

/// Keeps unpaired surrogates out of strings that are truncated or come from outside. An unpaired
/// surrogate is no character, and cannot be encoded in UTF-8.
public final class Surrogates {
    private static final char REPLACEMENT = '\uFFFD';

    private Surrogates() {}

    /// The first `most` chars, or one fewer if that would split a surrogate pair.
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isHalf =
                most > 0
                        && Character.isHighSurrogate(text.charAt(most - 1))
                        && Character.isLowSurrogate(text.charAt(most));
        return text.substring(0, isHalf ? most - 1 : most);
    }

    /// The character at `index`, which may be a surrogate pair.
    public static String letter(String text, int index) {
        return Character.toString(text.codePointAt(index));
    }

    /// The text with each unpaired surrogate replaced. Returns the same string if there is none.
    public static String replaced(String text) {
        int at = half(text, 0);
        if (at < 0) {
            return text;
        }
        char[] letters = text.toCharArray();
        while (at >= 0) {
            letters[at] = REPLACEMENT;
            at = half(text, at + 1);
        }
        return new String(letters);
    }

    /// The index of the next unpaired surrogate; -1 if there is none.
    private static int half(String text, int from) {
        int index = from;
        while (index < text.length()) {
            char letter = text.charAt(index);
            boolean isPair =
                    Character.isHighSurrogate(letter)
                            && index + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(index + 1));
            if (Character.isSurrogate(letter) && !isPair) {
                return index;
            }
            index += isPair ? 2 : 1;
        }
        return -1;
    }
}
