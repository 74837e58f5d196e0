package io.cleave.analysis;

import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `Unicode::Fold(text[, Language, DoLowerCase, DoRenyxa, DoSimpleCyr, FillOffset])`: the text
/// without what does not matter to a search. By default letters are small and have no marks. Which
/// letter a Cyrillic one with a mark stands for is in a table of its own.
final class UnicodeFold {
    private static final Locale TURKISH = Locale.forLanguageTag("tr");

    /// Letters that Unicode does not take apart.
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

    /// By way of large letters, so that ß is ss and every sigma the same.
    private static String small(String text, boolean turkish) {
        return turkish ? text.toLowerCase(TURKISH) : Wildcards.fold(text.toUpperCase(Locale.ROOT));
    }

    private static String plain(String text, boolean latin, boolean cyrillic) {
        var out = new StringBuilder();
        for (int point : text.codePoints().toArray()) {
            var script = Character.UnicodeScript.of(point);
            if (latin && script == Character.UnicodeScript.LATIN) {
                // The only letter that is small by having no mark.
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
