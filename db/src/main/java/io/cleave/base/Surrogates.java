package io.cleave.base;

/// Strings that are cut, or come from somewhere, without halves of surrogate pairs: such a half is
/// no letter, and nothing can write it as UTF-8.
public final class Surrogates {
    private static final char REPLACEMENT = '\uFFFD';

    private Surrogates() {}

    /// The first `most` chars, or one less where that would be half of a pair.
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

    /// The letter at `index`, which may be a pair.
    public static String letter(String text, int index) {
        return Character.toString(text.codePointAt(index));
    }

    /// With a replacement for each half of a pair; most texts have none and come back as they are.
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

    /// Where the next half without its other half is; -1 if there is none.
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
