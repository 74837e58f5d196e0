package io.cleave.function.call;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/// Helpers for string values: Utf8 values hold text, String values hold bytes.
public final class Texts {
    private Texts() {}

    public static boolean isString(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8;
    }

    /// The text of a String or Utf8 value. Invalid UTF-8 becomes replacement characters.
    public static String of(Value value) {
        return value instanceof Value.Binary(Bytes bytes)
                ? bytes.utf8()
                : ((Value.Text) value).value();
    }

    /// The value as a Java string. For a String value each byte becomes one character.
    public static String letters(Type type, Value value) {
        return type == Primitive.UTF8
                ? of(value)
                : new String(bytes(value).array(), StandardCharsets.ISO_8859_1);
    }

    /// The value with the given [#letters].
    public static Value ofLetters(Type type, String letters) {
        return type == Primitive.UTF8
                ? Value.text(letters)
                : Value.binary(Bytes.wrap(letters.getBytes(StandardCharsets.ISO_8859_1)));
    }

    public static Bytes bytes(Value value) {
        return value instanceof Value.Text(String text)
                ? Bytes.utf8(text)
                : ((Value.Binary) value).value();
    }

    /// The letters without the spaces at both ends.
    public static String strip(String letters, IntPredicate isSpace) {
        int from = 0;
        int to = letters.length();
        while (from < to && isSpace.test(letters.charAt(from))) {
            from++;
        }
        while (from < to && isSpace.test(letters.charAt(to - 1))) {
            to--;
        }
        return letters.substring(from, to);
    }

    /// The text as a value of `type`, which is String or Utf8.
    public static Value value(Type type, String text) {
        return type == Primitive.UTF8 ? Value.text(text) : Value.binary(Bytes.utf8(text));
    }

    public static Value value(Type type, Bytes bytes) {
        return type == Primitive.UTF8 ? Value.text(bytes.utf8()) : Value.binary(bytes);
    }
}
