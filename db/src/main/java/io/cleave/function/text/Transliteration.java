package io.cleave.function.text;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `Unicode::Translit(text[, language])`: transliterates to ASCII the words whose letters all
/// belong to the alphabet of the language. Everything else is unchanged.
///
/// Russian and Kazakh use the BGN/PCGN tables without diacritics. Ukrainian uses its national
/// system, as of 2010. Turkish letters lose their diacritics.
final class Transliteration {
    private static final String RUSSIAN =
            "а=a б=b в=v г=g д=d е=e ё=yo ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u"
                    + " ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya";

    private static final String KAZAKH = RUSSIAN + " ә=a ғ=gh қ=q ң=ng ө=o ұ=u ү=u һ=h і=i";

    private static final String UKRAINIAN =
            "а=a б=b в=v г=h ґ=g д=d е=e є=ie ж=zh з=z и=y і=i ї=i й=i к=k л=l м=m н=n о=o п=p"
                    + " р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ь= ю=iu я=ia";

    /// Letters that are transliterated differently at the start of a word.
    private static final String UKRAINIAN_FIRST = "є=ye ї=yi й=y ю=yu я=ya";

    private static final String TURKISH =
            "a=a b=b c=c ç=c d=d e=e f=f g=g ğ=g h=h ı=i i=i j=j k=k l=l m=m n=n o=o ö=o p=p r=r"
                    + " s=s ş=s t=t u=u ü=u v=v y=y z=z â=a î=i û=u";

    private static final Map<String, Transliteration> LANGUAGES =
            Map.of(
                    "rus", new Transliteration(RUSSIAN, "", Locale.ROOT),
                    "kaz", new Transliteration(KAZAKH, "", Locale.ROOT),
                    "ukr", new Transliteration(UKRAINIAN, UKRAINIAN_FIRST, Locale.ROOT),
                    "tur", new Transliteration(TURKISH, "", Locale.of("tr")));

    private final Map<Integer, String> letters;
    private final Map<Integer, String> first;
    private final Locale locale;

    private Transliteration(String letters, String first, Locale locale) {
        this.letters = table(letters);
        this.first = table(first);
        this.locale = locale;
    }

    private static Map<Integer, String> table(String text) {
        var table = new HashMap<Integer, String>();
        for (String pair : text.split(" ", -1)) {
            if (!pair.isEmpty()) {
                table.put(pair.codePointAt(0), pair.substring(pair.indexOf('=') + 1));
            }
        }
        return table;
    }

    static Typed resolve(FunctionCall call) {
        call.expect(1, 2);
        var arguments = new ArrayList<Typed>();
        arguments.add(UnicodeModule.text(call, 0));
        if (call.count() == 2) {
            arguments.add(call.as(1, Primitive.STRING));
        }
        Type first = arguments.getFirst().type();
        boolean optional = first.isOptional() || first == Type.Unit.NULL;
        Position at = call.at();
        return call.apply(
                optional ? Primitive.UTF8.optional() : Primitive.UTF8,
                arguments,
                a -> {
                    if (a[0].isNull()) {
                        return a[0];
                    }
                    String language = a.length == 2 && !a[1].isNull() ? Texts.of(a[1]) : "rus";
                    Transliteration way = LANGUAGES.get(language);
                    if (way == null) {
                        throw Errors.failure(
                                at,
                                "Unicode::Translit supports the languages kaz, rus, tur and ukr,"
                                        + " not: "
                                        + language);
                    }
                    return ValueSizes.checked(Value.text(way.written(Texts.of(a[0]))));
                });
    }

    private String written(String text) {
        var out = new StringBuilder();
        var word = new ArrayList<Integer>();
        for (int point : text.codePoints().toArray()) {
            if (Character.isLetter(point)) {
                word.add(point);
            } else {
                endWord(out, word);
                out.appendCodePoint(point);
            }
        }
        endWord(out, word);
        return out.toString();
    }

    private void endWord(StringBuilder out, List<Integer> word) {
        boolean ours = word.stream().allMatch(point -> letters.containsKey(lower(point)));
        boolean allUpper = word.size() > 1 && word.stream().allMatch(Character::isUpperCase);
        for (int index = 0; index < word.size(); index++) {
            int point = word.get(index);
            if (!ours) {
                out.appendCodePoint(point);
                continue;
            }
            int small = lower(point);
            @Nullable String begin = index == 0 ? first.get(small) : null;
            String latin = begin == null ? letters.getOrDefault(small, "") : begin;
            boolean capital = Character.isUpperCase(point) && !latin.isEmpty();
            if (allUpper) {
                out.append(latin.toUpperCase(Locale.ROOT));
            } else if (capital) {
                out.append(Character.toUpperCase(latin.charAt(0))).append(latin, 1, latin.length());
            } else {
                out.append(latin);
            }
        }
        word.clear();
    }

    private int lower(int point) {
        return Character.toString(point).toLowerCase(locale).codePointAt(0);
    }
}
