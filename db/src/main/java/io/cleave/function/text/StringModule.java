package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.NameSuggestion;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Registry.Parameter;
import io.cleave.function.call.StringArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// The module `String`: functions from bytes to bytes. Only ASCII letters have a case.
public final class StringModule {
    static final String MODULE = "String";
    private static final int MAX_PAD_BYTES = 1 << 20;
    private static final Parameter BYTES = Parameter.of(Primitive.STRING);

    /// The characters that `CgiEscape` keeps, besides letters and digits.
    private static final String CGI_LETTERS = "-._~!$*/;@";

    private static final String CUT = " ...";
    private static final String WORD_ENDS = " .,;";
    private static final int MOST_CUT_OFF = 32;

    private StringModule() {}

    public static void register(Registry registry) {
        map(registry, "AsciiToLower", s -> ascii(s, 'A', 'Z', 'a' - 'A'));
        map(registry, "AsciiToUpper", s -> ascii(s, 'a', 'z', 'A' - 'a'));
        letters(registry, "ToLower", UnicodeModule::lower);
        letters(registry, "ToUpper", UnicodeModule::upper);
        letters(registry, "ToTitle", UnicodeModule::title);
        letters(registry, "Reverse", s -> new StringBuilder(s).reverse().toString());
        map(registry, "Strip", s -> bytes(stripped(letters(s))));
        map(registry, "Collapse", s -> bytes(collapsed(letters(s))));
        map(registry, "ReverseBytes", StringModule::reverse);
        map(registry, "ReverseBits", StringModule::reverseBits);
        map(registry, "Base64Encode", s -> ascii(Base64.getEncoder().encodeToString(s.array())));
        map(
                registry,
                "Base64EncodeUrl",
                s -> ascii(Base64.getUrlEncoder().encodeToString(s.array()).replace('=', ',')));
        map(registry, "HexEncode", s -> ascii(HexFormat.of().withUpperCase().formatHex(s.array())));
        map(
                registry,
                "HexText",
                s -> ascii(HexFormat.ofDelimiter(" ").withUpperCase().formatHex(s.array())));
        decode(registry, "Base64Decode", s -> decodeBase64(s, false));
        decode(registry, "Base64StrictDecode", s -> decodeBase64(s, true));
        decode(registry, "HexDecode", StringModule::decodeHex);
        map(registry, "Base32Encode", StringCodes::encodeBase32);
        decode(registry, "Base32Decode", s -> StringCodes.decodeBase32(s, false));
        decode(registry, "Base32StrictDecode", s -> StringCodes.decodeBase32(s, true));
        map(registry, "EscapeC", StringCodes::escapeC);
        map(registry, "UnescapeC", StringCodes::unescapeC);
        map(registry, "EncodeHtml", s -> Bytes.utf8(StringCodes.encodeHtml(s.utf8())));
        map(registry, "DecodeHtml", s -> Bytes.utf8(StringCodes.decodeHtml(s.utf8())));
        map(registry, "CgiEscape", s -> ascii(UrlText.encode(s.array(), CGI_LETTERS, true)));
        map(registry, "CgiUnescape", s -> Bytes.wrap(UrlText.decode(s.array(), true)));
        map(registry, "AsciiToTitle", StringModule::title);
        map(registry, "BinText", StringModule::bits);
        registry.add(MODULE, "CollapseText", StringModule::collapseText);
        contains(registry, "AsciiContainsIgnoreCase", StringModule::folded);
        test(
                registry,
                "AsciiStartsWithIgnoreCase",
                (s, part) -> StringFunctions.startsWith(folded(s), folded(part)));
        test(
                registry,
                "AsciiEndsWithIgnoreCase",
                (s, part) -> StringFunctions.endsWith(folded(s), folded(part)));
        test(registry, "AsciiEqualsIgnoreCase", (s, part) -> folded(s).equals(folded(part)));
        contains(registry, "Contains", bytes -> bytes);
        test(registry, "HasPrefix", StringFunctions::startsWith);
        test(registry, "StartsWith", StringFunctions::startsWith);
        test(registry, "HasSuffix", StringFunctions::endsWith);
        test(registry, "EndsWith", StringFunctions::endsWith);
        test(
                registry,
                "HasPrefixIgnoreCase",
                (s, part) -> StringFunctions.startsWith(folded(s), folded(part)));
        test(
                registry,
                "StartsWithIgnoreCase",
                (s, part) -> StringFunctions.startsWith(folded(s), folded(part)));
        test(
                registry,
                "HasSuffixIgnoreCase",
                (s, part) -> StringFunctions.endsWith(folded(s), folded(part)));
        test(
                registry,
                "EndsWithIgnoreCase",
                (s, part) -> StringFunctions.endsWith(folded(s), folded(part)));
        registry.add(MODULE, "Find", c -> find(c, false));
        registry.add(MODULE, "ReverseFind", c -> find(c, true));
        registry.add(MODULE, "Substring", StringModule::substring);
        replace(registry, "ReplaceAll", Replacing.ALL, 3);
        replace(registry, "ReplaceFirst", Replacing.FIRST, 3);
        replace(registry, "ReplaceLast", Replacing.LAST, 3);
        replace(registry, "RemoveAll", Replacing.ALL_LETTERS, 2);
        replace(registry, "RemoveFirst", Replacing.FIRST_LETTER, 2);
        replace(registry, "RemoveLast", Replacing.LAST_LETTER, 2);
        registry.add(MODULE, "LeftPad", c -> pad(c, true));
        registry.add(MODULE, "RightPad", c -> pad(c, false));
        registry.add(MODULE, "SplitToList", c -> Splitting.split(c, Primitive.STRING));
        registry.add(MODULE, "JoinFromList", c -> Splitting.join(c, Primitive.STRING));
        registry.addStrictLong(
                MODULE,
                "LevensteinDistance",
                Primitive.UINT64,
                List.of(BYTES, BYTES),
                (a, run) ->
                        Value.of(
                                NameSuggestion.distance(
                                        letters(Texts.bytes(a[0])),
                                        letters(Texts.bytes(a[1])),
                                        run::pass)));
        is(registry, "IsAscii", c -> c < 0x80);
        is(registry, "IsAsciiSpace", StringModule::isSpace);
        is(registry, "IsAsciiUpper", c -> c >= 'A' && c <= 'Z');
        is(registry, "IsAsciiLower", c -> c >= 'a' && c <= 'z');
        is(registry, "IsAsciiDigit", c -> c >= '0' && c <= '9');
        is(registry, "IsAsciiAlpha", StringModule::isAlpha);
        is(registry, "IsAsciiAlnum", c -> isAlpha(c) || (c >= '0' && c <= '9'));
        is(registry, "IsAsciiHex", c -> Character.digit(c, 16) >= 0 && c < 0x80);
        StringNumbers.register(registry);
    }

    private static void map(Registry registry, String name, Function<Bytes, Bytes> step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.STRING,
                List.of(BYTES),
                a -> Value.binary(step.apply(Texts.bytes(a[0]))));
    }

    /// Returns NULL if the input is invalid.
    private static void decode(
            Registry registry, String name, Function<Bytes, Optional<Bytes>> step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.STRING.optional(),
                List.of(BYTES),
                a -> step.apply(Texts.bytes(a[0])).map(Value::binary).orElse(Value.Null.NULL));
    }

    /// Works on the characters of valid UTF-8; NULL for other bytes.
    private static void letters(Registry registry, String name, UnaryOperator<String> step) {
        decode(registry, name, s -> ValueParser.utf8(s).map(step).map(Bytes::utf8));
    }

    /// Whether one string contains the other, after `as` is applied to both.
    private static void contains(Registry registry, String name, UnaryOperator<Bytes> as) {
        longTest(
                registry,
                name,
                (text, part, run) ->
                        Finding.index(as.apply(text).array(), as.apply(part).array(), 0, run) >= 0);
    }

    @FunctionalInterface
    private interface LongTest {
        boolean holds(Bytes text, Bytes part, ScalarFunction.Run run);
    }

    private static void test(Registry registry, String name, StringFunctions.Test test) {
        longTest(registry, name, (text, part, _) -> test.holds(text, part));
    }

    private static void longTest(Registry registry, String name, LongTest test) {
        // The result for NULL is false.
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(2);
                    return call.applyLong(
                            Primitive.BOOL,
                            List.of(call.as(0, Primitive.STRING), call.as(1, Primitive.STRING)),
                            (a, run) ->
                                    Value.bool(
                                            !a[0].isNull()
                                                    && !a[1].isNull()
                                                    && test.holds(
                                                            Texts.bytes(a[0]),
                                                            Texts.bytes(a[1]),
                                                            run)));
                });
    }

    /// The result for NULL is false.
    private static void is(Registry registry, String name, IntPredicate letter) {
        Predicate<Bytes> all =
                bytes -> {
                    for (byte b : bytes.array()) {
                        if (!letter.test(b & 0xFF)) {
                            return false;
                        }
                    }
                    return true;
                };
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    return call.apply(
                            Primitive.BOOL,
                            List.of(call.as(0, Primitive.STRING)),
                            a -> Value.bool(!a[0].isNull() && all.test(Texts.bytes(a[0]))));
                });
    }

    private static boolean isSpace(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isAlpha(int c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    /// Each byte as one character, so that invalid UTF-8 is preserved.
    private static String letters(Bytes text) {
        return new String(text.array(), StandardCharsets.ISO_8859_1);
    }

    private static Bytes bytes(String letters) {
        return Bytes.wrap(letters.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String stripped(String letters) {
        return Texts.strip(letters, StringModule::isSpace);
    }

    /// Replaces each run of spaces by one space.
    private static String collapsed(String letters) {
        var out = new StringBuilder();
        boolean inSpace = false;
        for (int index = 0; index < letters.length(); index++) {
            char letter = letters.charAt(index);
            boolean space = isSpace(letter);
            if (!space) {
                out.append(letter);
            } else if (!inSpace) {
                out.append(' ');
            }
            inSpace = space;
        }
        return out.toString();
    }

    private static Bytes ascii(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Shifts the letters from `from` to `to`, both inclusive, by `distance`.
    private static Bytes ascii(Bytes text, char from, char to, int distance) {
        byte[] data = text.array().clone();
        for (int index = 0; index < data.length; index++) {
            if (data[index] >= from && data[index] <= to) {
                data[index] += (byte) distance;
            }
        }
        return Bytes.wrap(data);
    }

    private static Bytes folded(Bytes text) {
        return ascii(text, 'A', 'Z', 'a' - 'A');
    }

    /// The first letter in upper case, the others in lower case.
    private static Bytes title(Bytes text) {
        Bytes lower = folded(text);
        if (lower.isEmpty()) {
            return lower;
        }
        byte[] data = lower.array().clone();
        if (data[0] >= 'a' && data[0] <= 'z') {
            data[0] += (byte) ('A' - 'a');
        }
        return Bytes.wrap(data);
    }

    private static Bytes bits(Bytes text) {
        var out = new StringJoiner(" ");
        for (byte b : text.array()) {
            String bits = Integer.toBinaryString(b & 0xFF);
            out.add("0".repeat(Byte.SIZE - bits.length()) + bits);
        }
        return ascii(out.toString());
    }

    /// `CollapseText(text, most)`: a text of at least `most` letters is cut after its last whole
    /// word, and a space and three dots are appended; one letter less than `most` is used. If the
    /// last word has 32 letters or more, the cut is within the word.
    private static Typed collapseText(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING), Numbers.count(call, 1)),
                a -> {
                    String text = stripped(collapsed(letters(Texts.bytes(a[0]))));
                    long most = ((Value.Int) a[1]).value();
                    boolean fits = Long.compareUnsigned(text.length(), most) < 0;
                    return Value.binary(bytes(fits ? text : shortened(text, (int) most)));
                });
    }

    private static String shortened(String text, int most) {
        String kept = text.substring(0, Math.max(0, most - CUT.length() - 1));
        int at = kept.length() - 1;
        while (at >= 0 && WORD_ENDS.indexOf(kept.charAt(at)) < 0) {
            at--;
        }
        boolean near = at >= 0 && kept.length() - 1 - at < MOST_CUT_OFF;
        return (near ? kept.substring(0, at) : kept) + CUT;
    }

    private static Bytes reverse(Bytes text) {
        byte[] data = new byte[text.length()];
        for (int index = 0; index < data.length; index++) {
            data[index] = text.at(data.length - 1 - index);
        }
        return Bytes.wrap(data);
    }

    /// Reverses the order of all bits.
    private static Bytes reverseBits(Bytes text) {
        byte[] data = new byte[text.length()];
        for (int index = 0; index < data.length; index++) {
            int bits = text.at(data.length - 1 - index) & 0xFF;
            data[index] = (byte) (Integer.reverse(bits) >>> (Integer.SIZE - Byte.SIZE));
        }
        return Bytes.wrap(data);
    }

    /// Accepts both Base64 alphabets, in groups of four characters; a comma also means `=`. Without
    /// `strict`, invalid characters and a last group with a single character are ignored.
    private static Optional<Bytes> decodeBase64(Bytes text, boolean strict) {
        if (text.length() % 4 != 0) {
            return Optional.empty();
        }
        byte[] letters = text.array().clone();
        for (int index = 0; index < letters.length; index++) {
            letters[index] =
                    switch (letters[index]) {
                        case ',' -> '=';
                        case '-' -> '+';
                        case '_' -> '/';
                        default -> letters[index];
                    };
        }
        int length = letters.length;
        if (!strict && length > 0 && letters[length - 3] == '=') {
            letters = Arrays.copyOf(letters, length - 4);
        }
        try {
            Base64.Decoder decoder = strict ? Base64.getDecoder() : Base64.getMimeDecoder();
            return Optional.of(Bytes.wrap(decoder.decode(letters)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<Bytes> decodeHex(Bytes text) {
        try {
            return Optional.of(Bytes.wrap(HexFormat.of().parseHex(text.utf8())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// Returns -1 if nothing is found.
    private static Typed find(FunctionCall call, boolean last) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, Primitive.STRING));
        arguments.add(call.as(1, Primitive.STRING));
        if (call.count() == 3) {
            arguments.add(Numbers.or(call, 2, Primitive.UINT64, last ? Numbers.ALL : 0));
        }
        return call.strictLong(
                Primitive.INT64,
                arguments,
                (a, run) -> {
                    byte[] text = Texts.bytes(a[0]).array();
                    byte[] part = Texts.bytes(a[1]).array();
                    long from = a.length == 3 ? ((Value.Int) a[2]).value() : last ? text.length : 0;
                    boolean isBehind = Long.compareUnsigned(from, text.length) > 0;
                    if (last) {
                        long to = isBehind ? text.length : from;
                        return Value.of(Finding.lastIndex(text, part, to, run));
                    }
                    return Value.of(isBehind ? -1 : Finding.index(text, part, from, run));
                });
    }

    private static Typed substring(FunctionCall call) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, Primitive.STRING));
        arguments.add(Numbers.or(call, 1, Primitive.UINT64, 0));
        if (call.count() == 3) {
            arguments.add(Numbers.or(call, 2, Primitive.UINT64, Numbers.ALL));
        }
        return call.strict(
                Primitive.STRING,
                arguments,
                a -> {
                    Bytes text = Texts.bytes(a[0]);
                    int from = Numbers.bounded(a[1], text.length());
                    int length =
                            a.length == 3
                                    ? Numbers.bounded(a[2], text.length() - from)
                                    : text.length() - from;
                    return Value.binary(Bytes.copyOf(text.array(), from, from + length));
                });
    }

    private static void replace(Registry registry, String name, Replacing how, int count) {
        registry.add(MODULE, name, call -> Replacing.resolve(call, Primitive.STRING, how, count));
    }

    private static Typed pad(FunctionCall call, boolean left) {
        call.expect(2, 3);
        Typed filler =
                call.count() == 3
                        ? StringArguments.orElse(call, 2, " ")
                        : StringArguments.constant(" ");
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING), Numbers.count(call, 1), filler),
                a -> {
                    byte[] letter = Texts.bytes(a[2]).array();
                    if (letter.length != 1 || letter[0] < 0) {
                        throw Errors.failure(
                                call.at(), "Expected one symbol to pad with in " + call.name());
                    }
                    byte[] text = Texts.bytes(a[0]).array();
                    int length = Math.max(text.length, Numbers.bounded(a[1], MAX_PAD_BYTES));
                    byte[] padded = new byte[length];
                    Arrays.fill(padded, letter[0]);
                    System.arraycopy(text, 0, padded, left ? length - text.length : 0, text.length);
                    return Value.binary(Bytes.wrap(padded));
                });
    }
}
