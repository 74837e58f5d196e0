package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.nio.charset.StandardCharsets;

/// Strings as functions see them: Utf8 values hold text, String values bytes.
final class Texts {
    private Texts() {}

    /// The text of a String or Utf8; bytes that are no UTF-8 become replacement characters.
    static String of(Value value) {
        return value instanceof Value.Binary(Bytes bytes)
                ? bytes.utf8()
                : ((Value.Text) value).value();
    }

    /// The letters of a String or Utf8 of that type: of a String each byte is one.
    static String letters(Type type, Value value) {
        return type == Primitive.UTF8
                ? of(value)
                : new String(bytes(value).array(), StandardCharsets.ISO_8859_1);
    }

    /// What has these [#letters].
    static Value ofLetters(Type type, String letters) {
        return type == Primitive.UTF8
                ? Value.text(letters)
                : Value.binary(Bytes.wrap(letters.getBytes(StandardCharsets.ISO_8859_1)));
    }

    static Bytes bytes(Value value) {
        return value instanceof Value.Text(String text)
                ? Bytes.utf8(text)
                : ((Value.Binary) value).value();
    }

    /// A value of `type`, which is String or Utf8.
    static Value value(Type type, String text) {
        return type == Primitive.UTF8 ? Value.text(text) : Value.binary(Bytes.utf8(text));
    }

    static Value value(Type type, Bytes bytes) {
        return type == Primitive.UTF8 ? Value.text(bytes.utf8()) : Value.binary(bytes);
    }
}
