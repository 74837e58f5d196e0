package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.YtType.ANY;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.base.Bytes;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.List;

/// Strings, which are bytes. Lengths count bytes. All functions are NULL for NULL.
final class YtStringFunctions {
    private YtStringFunctions() {}

    static void register(YtFunction.Registry registry) {
        registry.accept(
                YtFunction.strict(
                        "concat",
                        Signature.of(one(STRING), one(STRING), one(STRING)),
                        a -> YtArithmetic.concatenated(bytes(a[0]), bytes(a[1]))));
        registry.accept(
                YtFunction.strict(
                        "length",
                        Signature.of(one(INT64), one(STRING)),
                        a -> Value.of((long) bytes(a[0]).length())));
        registry.accept(
                YtFunction.strict(
                        "lower", Signature.of(one(STRING), one(STRING)), a -> lower(bytes(a[0]))));
        registry.accept(
                YtFunction.strict(
                        "is_prefix",
                        Signature.of(one(BOOLEAN), one(STRING), one(STRING)),
                        a -> Value.bool(bytes(a[1]).startsWith(bytes(a[0])))));
        registry.accept(
                YtFunction.strict(
                        "is_substr",
                        Signature.of(one(BOOLEAN), one(STRING), one(STRING)),
                        a -> Value.bool(find(bytes(a[1]), bytes(a[0]), 0) >= 0)));
        registry.accept(
                YtFunction.strict(
                        "to_valid_utf8",
                        Signature.of(one(STRING), one(STRING)),
                        a -> Value.binary(Utf8Bytes.repaired(bytes(a[0])))));
        registry.accept(
                YtFunction.strict(
                        "is_valid_utf8",
                        Signature.of(one(BOOLEAN), one(STRING)),
                        a -> Value.bool(Utf8Bytes.firstInvalid(bytes(a[0])) < 0)));
        registry.accept(
                YtFunction.strict(
                        "split",
                        Signature.of(one(ANY), one(STRING), one(STRING)),
                        a -> split(bytes(a[0]), bytes(a[1]))));
        registry.accept(
                YtFunction.strict(
                        "make_ngrams",
                        Signature.of(one(ANY), one(STRING), one(INT64)),
                        a -> ngrams(bytes(a[0]), YtArithmetic.integer(a[1]))));
        for (YtType number : List.of(INT64, UINT64, DOUBLE)) {
            registry.accept(
                    YtFunction.strict(
                            "parse_" + number.text(),
                            Signature.of(one(number), one(STRING)),
                            a -> YtCasts.ofString(bytes(a[0]), number)));
        }
        registry.accept(
                new YtFunction(
                        "numeric_to_string",
                        Signature.of(one(STRING), oneOf(INT64, UINT64, DOUBLE)),
                        (arguments, _) -> YtCasts.cast(arguments.getFirst(), STRING)));
        registry.accept(
                YtFunction.strict(
                        "format_guid",
                        Signature.of(one(STRING), one(UINT64), one(UINT64)),
                        a ->
                                Value.binary(
                                        Bytes.utf8(
                                                guid(
                                                        YtArithmetic.integer(a[0]),
                                                        YtArithmetic.integer(a[1]))))));
    }

    private static Bytes bytes(Value value) {
        return YtArithmetic.bytes(value);
    }

    private static Value lower(Bytes text) {
        int invalid = Utf8Bytes.firstInvalid(text);
        if (invalid >= 0) {
            throw YtQueryErrors.failure("failed to decode UTF-8 string at pos " + invalid);
        }
        var lower = new StringBuilder();
        text.utf8().codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
        return Value.binary(Bytes.utf8(lower.toString()));
    }

    /// The position of `part` at or after `from`; -1 if it does not occur.
    private static int find(Bytes text, Bytes part, int from) {
        byte[] in = text.array();
        byte[] searched = part.array();
        for (int at = from; at <= in.length - searched.length; at++) {
            int matching = 0;
            while (matching < searched.length && in[at + matching] == searched[matching]) {
                matching++;
            }
            if (matching == searched.length) {
                return at;
            }
        }
        return -1;
    }

    /// An empty delimiter does not occur in any string.
    private static Value split(Bytes text, Bytes delimiter) {
        var parts = new ArrayList<YsonNode>();
        int from = 0;
        int at = delimiter.isEmpty() ? -1 : find(text, delimiter, 0);
        while (at >= 0) {
            ValueSizes.requireItems(parts.size() + 1L);
            parts.add(part(text, from, at));
            from = at + delimiter.length();
            at = find(text, delimiter, from);
        }
        parts.add(part(text, from, text.length()));
        return YtYson.value(new YsonNode.Items(parts));
    }

    /// The substrings of the given length, and the shorter substrings at the end of the string.
    private static Value ngrams(Bytes text, long length) {
        if (length <= 0) {
            throw YtQueryErrors.failure("Invalid gram length " + length);
        }
        ValueSizes.requireBytes(Math.min(length, text.length()) * text.length());
        var grams = new ArrayList<YsonNode>();
        for (int from = 0; from < text.length(); from++) {
            int to = from + (int) Math.min(length, text.length() - from);
            grams.add(part(text, from, to));
        }
        return YtYson.value(new YsonNode.Items(grams));
    }

    private static YsonNode part(Bytes text, int from, int to) {
        return new YsonNode.Text(Bytes.copyOf(text.array(), from, to));
    }

    /// Four hexadecimal numbers of 32 bits, the lowest halves first.
    private static String guid(long high, long low) {
        return "%x-%x-%x-%x"
                .formatted(
                        low >>> Integer.SIZE,
                        low & 0xFFFF_FFFFL,
                        high >>> Integer.SIZE,
                        high & 0xFFFF_FFFFL);
    }
}
