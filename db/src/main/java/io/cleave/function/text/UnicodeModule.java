package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.NameSuggestion;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Registry.Parameter;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/// The module `Unicode`: functions from Utf8 to Utf8. Lengths and positions count code points.
public final class UnicodeModule {
    static final String MODULE = "Unicode";

    private UnicodeModule() {}

    public static void register(Registry registry) {
        map(registry, "ToLower", UnicodeModule::lower);
        map(registry, "ToUpper", UnicodeModule::upper);
        map(registry, "ToTitle", UnicodeModule::title);
        registry.add(MODULE, "Fold", UnicodeFold::resolve);
        map(registry, "Strip", UnicodeModule::strip);
        map(registry, "Reverse", s -> new StringBuilder(s).reverse().toString());
        map(registry, "Normalize", s -> Normalizer.normalize(s, Normalizer.Form.NFC));
        for (Normalizer.Form form : Normalizer.Form.values()) {
            map(registry, "Normalize" + form, s -> Normalizer.normalize(s, form));
        }
        is(registry, "IsAscii", c -> c < 0x80);
        is(registry, "IsSpace", UnicodeModule::isSpace);
        is(registry, "IsUpper", c -> Character.getType(c) == Character.UPPERCASE_LETTER);
        is(registry, "IsLower", c -> Character.getType(c) == Character.LOWERCASE_LETTER);
        is(registry, "IsDigit", Character::isDigit);
        is(registry, "IsAlpha", Character::isLetter);
        is(registry, "IsAlnum", c -> Character.isLetter(c) || isNumber(c));
        is(registry, "IsHex", c -> c < 0x80 && Character.digit(c, 16) >= 0);
        registry.add(MODULE, "IsUtf", UnicodeModule::isUtf);
        measure(registry, "GetLength", Primitive.UINT64, UnicodeModule::length);
        registry.add(MODULE, "Substring", UnicodeModule::substring);
        registry.add(MODULE, "Find", c -> find(c, false));
        registry.add(MODULE, "RFind", c -> find(c, true));
        registry.addStrictLong(
                MODULE,
                "LevensteinDistance",
                Primitive.UINT64,
                List.of(UnicodeModule::text, UnicodeModule::text),
                (a, run) ->
                        Value.of(
                                NameSuggestion.distance(
                                        Texts.of(a[0]), Texts.of(a[1]), run::pass)));
        registry.add(MODULE, "SplitToList", c -> Splitting.split(c, Primitive.UTF8));
        registry.add(MODULE, "JoinFromList", c -> Splitting.join(c, Primitive.UTF8));
        measure(
                registry,
                "ToCodePointList",
                new Type.ListOf(Primitive.UINT32),
                UnicodeModule::codePoints);
        registry.addStrict(
                MODULE,
                "FromCodePointList",
                Primitive.UTF8,
                List.of(Parameter.of(new Type.ListOf(Primitive.UINT32))),
                a -> fromCodePoints(a[0]));
        registry.add(MODULE, "TryToUint64", c -> UnicodeNumbers.parse(c, false));
        registry.add(MODULE, "ToUint64", c -> UnicodeNumbers.parse(c, true));
        registry.add(MODULE, "IsUnicodeSet", UnicodeNumbers::isUnicodeSet);
        registry.add(MODULE, "Translit", Transliteration::resolve);
        replace(registry, "ReplaceAll", Replacing.ALL, 3);
        replace(registry, "ReplaceFirst", Replacing.FIRST, 3);
        replace(registry, "ReplaceLast", Replacing.LAST, 3);
        replace(registry, "RemoveAll", Replacing.ALL_LETTERS, 2);
        replace(registry, "RemoveFirst", Replacing.FIRST_LETTER, 2);
        replace(registry, "RemoveLast", Replacing.LAST_LETTER, 2);
    }

    /// The argument as Utf8; a String literal is accepted.
    public static Typed text(FunctionCall call, int index) {
        return Conversions.literal(call.value(index), Primitive.UTF8)
                .orElseGet(() -> call.as(index, Primitive.UTF8));
    }

    private static void map(Registry registry, String name, UnaryOperator<String> step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.UTF8,
                List.of(UnicodeModule::text),
                a -> Value.text(step.apply(Texts.of(a[0]))));
    }

    /// Adds a function from a text to a value of another type.
    private static void measure(
            Registry registry, String name, Type type, Function<String, Value> step) {
        registry.addStrict(
                MODULE, name, type, List.of(UnicodeModule::text), a -> step.apply(Texts.of(a[0])));
    }

    private static void is(Registry registry, String name, IntPredicate letter) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.BOOL,
                List.of(UnicodeModule::text),
                a -> Value.bool(Texts.of(a[0]).codePoints().allMatch(letter)));
    }

    private static void replace(Registry registry, String name, Replacing how, int count) {
        registry.add(MODULE, name, call -> Replacing.resolve(call, Primitive.UTF8, how, count));
    }

    /// Maps each letter separately, so that no letter becomes several and neighbours do not matter.
    private static String mapped(String text, IntUnaryOperator letter) {
        var out = new StringBuilder(text.length());
        text.codePoints().map(letter).forEach(out::appendCodePoint);
        return out.toString();
    }

    static String lower(String text) {
        return mapped(text, Character::toLowerCase);
    }

    static String upper(String text) {
        return mapped(text, Character::toUpperCase);
    }

    /// Only the first letter of the text, not of every word, is converted to title case. The others
    /// become lower case.
    static String title(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int end = text.offsetByCodePoints(0, 1);
        return mapped(text.substring(0, end), Character::toTitleCase)
                + mapped(text.substring(end), Character::toLowerCase);
    }

    /// A space of any width, including no-break spaces, a line break, or a tab.
    private static boolean isSpace(int point) {
        return Character.isSpaceChar(point) || (point >= '\t' && point <= '\r');
    }

    /// Digits, including Roman numerals, and fractions.
    private static boolean isNumber(int point) {
        int type = Character.getType(point);
        return type == Character.DECIMAL_DIGIT_NUMBER
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER;
    }

    private static String strip(String text) {
        return Texts.strip(text, UnicodeModule::isSpace);
    }

    /// The result for NULL is false.
    private static Typed isUtf(FunctionCall call) {
        call.expect(1);
        return call.apply(
                Primitive.BOOL,
                List.of(call.string(0)),
                a -> Value.bool(!a[0].isNull() && isUtf(Texts.bytes(a[0]))));
    }

    private static boolean isUtf(Bytes bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.array()));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    private static Typed substring(FunctionCall call) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(text(call, 0));
        arguments.add(Numbers.or(call, 1, Primitive.UINT64, 0));
        if (call.count() == 3) {
            arguments.add(Numbers.or(call, 2, Primitive.UINT64, Numbers.ALL));
        }
        return call.strict(
                Primitive.UTF8,
                arguments,
                a -> {
                    int[] points = Texts.of(a[0]).codePoints().toArray();
                    int from = Numbers.bounded(a[1], points.length);
                    int rest = points.length - from;
                    int length = a.length == 3 ? Numbers.bounded(a[2], rest) : rest;
                    return Value.text(new String(points, from, length));
                });
    }

    /// Returns NULL if nothing is found.
    private static Typed find(FunctionCall call, boolean last) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(text(call, 0));
        arguments.add(text(call, 1));
        if (call.count() == 3) {
            arguments.add(Numbers.or(call, 2, Primitive.UINT64, last ? Numbers.ALL : 0));
        }
        return call.strictLong(
                Primitive.UINT64.optional(),
                arguments,
                (a, run) -> {
                    String text = Texts.of(a[0]);
                    int count = text.codePointCount(0, text.length());
                    int bound = a.length == 3 ? Numbers.bounded(a[2], count) : last ? count : 0;
                    int from = text.offsetByCodePoints(0, bound);
                    String part = Texts.of(a[1]);
                    int found =
                            last
                                    ? Finding.lastIndex(text, part, from, run)
                                    : Finding.index(text, part, from, run);
                    return found < 0 ? Value.Null.NULL : Value.of(text.codePointCount(0, found));
                });
    }

    private static Value length(String text) {
        return Value.of(text.codePointCount(0, text.length()));
    }

    private static Value codePoints(String text) {
        return Value.items(
                text.codePoints().<Value>mapToObj(point -> new Value.Int(point)).toList());
    }

    private static Value fromCodePoints(Value points) {
        var text = new StringBuilder();
        for (Value point : Lists.items(points)) {
            long number = ((Value.Int) point).value();
            boolean legal =
                    number <= Character.MAX_CODE_POINT
                            && (number < Character.MIN_SURROGATE
                                    || number > Character.MAX_SURROGATE);
            // Invalid code points become the replacement character.
            text.appendCodePoint(legal ? (int) number : 0xFFFD);
        }
        return Value.text(text.toString());
    }
}
