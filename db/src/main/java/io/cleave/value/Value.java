package io.cleave.value;

import io.cleave.base.Bytes;

import java.util.List;

/// A value of some [Type]. It does not contain its type, which is known from the schema or the
/// plan. A non-NULL value of `Optional<T>` is the value of `T` itself.
public sealed interface Value {
    /// NULL of any Optional, and the only value of the types Null, Void, EmptyList and EmptyDict.
    enum Null implements Value {
        NULL
    }

    record Bool(boolean value) implements Value {
        public static final Bool TRUE = new Bool(true);
        public static final Bool FALSE = new Bool(false);
    }

    /// Every integer and date type. Signed values are sign-extended, unsigned values zero-extended
    /// (a Uint64 is the same 64 bits). Dates are days, Datetimes seconds, Timestamps and Intervals
    /// microseconds.
    record Int(long value) implements Value {}

    /// Float and Double; a Float value is exactly representable as a float.
    record Real(double value) implements Value {}

    /// Decimal (two's complement of the number times 10^scale) and Uuid (the two halves on the
    /// wire).
    record Int128(long high, long low) implements Value {}

    /// Utf8, Json, JsonDocument, DyNumber and the Tz types.
    record Text(String value) implements Value {}

    /// String and Yson.
    record Binary(Bytes value) implements Value {}

    /// List, Tuple and Struct, by position.
    record Items(List<Value> items) implements Value {
        public Items {
            items = List.copyOf(items);
        }
    }

    record Pair(Value key, Value payload) {}

    /// Dict, in the order in which it was given; all keys are different.
    record Pairs(List<Pair> pairs) implements Value {
        public Pairs {
            pairs = List.copyOf(pairs);
        }
    }

    record Choice(int index, Value value) implements Value {}

    /// Just(NULL) and Just(Just(…)): an Optional whose item is itself a NULL or a Just. No other
    /// value is ever wrapped.
    record Just(Value item) implements Value {}

    static Value bool(boolean value) {
        return value ? Bool.TRUE : Bool.FALSE;
    }

    static Value of(long value) {
        return new Int(value);
    }

    static Value of(double value) {
        return new Real(value);
    }

    static Value text(String value) {
        return new Text(value);
    }

    static Value binary(Bytes value) {
        return new Binary(value);
    }

    static Value items(List<Value> items) {
        return new Items(items);
    }

    default boolean isNull() {
        return this == Null.NULL;
    }
}
