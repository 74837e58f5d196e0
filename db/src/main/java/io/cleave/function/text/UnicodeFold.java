package io.cleave.function.text;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.NamedArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `Unicode::Fold(text[, Language, DoLowerCase, DoRenyxa, DoSimpleCyr, FillOffset])`: removes
/// differences that do not matter in a search. By default letters become lower case and lose their
/// diacritics. A table maps Cyrillic letters to their base letters.
final class UnicodeFold {
    private static final Locale TURKISH = Locale.forLanguageTag("tr");

    /// Letters that Unicode does not decompose.
    private static final Map<Integer, String> CYRILLIC =
            Map.ofEntries(
                    Map.entry((int) 'ґ', "г"),
                    Map.entry((int) 'ғ', "г"),
                    Map.entry((int) 'җ', "ж"),
                    Map.entry((int) 'ҙ', "з"),
                    Map.entry((int) 'қ', "к"),
                    Map.entry((int) 'ҡ', "к"),
                    Map.entry((int) 'ң', "н"),
                    Map.entry((int) 'ҫ', "с"),
                    Map.entry((int) 'ҳ', "х"),
                    Map.entry((int) 'ҷ', "ч"));

    private UnicodeFold() {}

    static Typed resolve(FunctionCall call) {
        call.expect(1, 6);
        var named =
                new NamedArguments(
                        call,
                        1,
                        "Language",
                        "DoLowerCase",
                        "DoRenyxa",
                        "DoSimpleCyr",
                        "FillOffset");
        Typed language = named.string("Language", "");
        boolean lower = named.flag("DoLowerCase", true);
        boolean latin = named.flag("DoRenyxa", true);
        boolean cyrillic = named.flag("DoSimpleCyr", true);
        return call.strict(
                Primitive.UTF8,
                List.of(UnicodeModule.text(call, 0), language),
                a -> {
                    String text = Texts.of(a[0]);
                    String small = lower ? small(text, isTurkish(Texts.of(a[1]))) : text;
                    return Value.text(plain(small, latin, cyrillic));
                });
    }

    private static boolean isTurkish(String language) {
        return language.equalsIgnoreCase("tur") || language.equalsIgnoreCase("turkish");
    }

    /// Converts to upper case first, so that ß becomes ss and all forms of sigma become equal.
    private static String small(String text, boolean turkish) {
        return turkish ? text.toLowerCase(TURKISH) : Wildcards.fold(text.toUpperCase(Locale.ROOT));
    }

    private static String plain(String text, boolean latin, boolean cyrillic) {
        var out = new StringBuilder();
        for (int point : text.codePoints().toArray()) {
            var script = Character.UnicodeScript.of(point);
            if (latin && script == Character.UnicodeScript.LATIN) {
                // The only Latin lower-case letter that differs from its base letter by a missing
                // dot.
                out.append(point == 'ı' ? "i" : unmarked(point));
            } else if (cyrillic && script == Character.UnicodeScript.CYRILLIC && point != 'й') {
                out.append(CYRILLIC.getOrDefault(point, unmarked(point)));
            } else {
                out.appendCodePoint(point);
            }
        }
        return out.toString();
    }

    private static String unmarked(int point) {
        String parts = Normalizer.normalize(Character.toString(point), Normalizer.Form.NFD);
        return parts.codePoints()
                .filter(part -> Character.getType(part) != Character.NON_SPACING_MARK)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
