package io.cleave.value;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// The type of a value. `text()` is the notation of YQL, which error messages and EXPLAIN show.
///
/// A column has a [Primitive] or a [Decimal] type, possibly in one [Optional]; the other types
/// occur only in parameters and expressions.
public sealed interface Type {
    String text();

    /// The representation of values of a primitive type: one of the fields of Ydb.Value. In this
    /// package it is a [Value.Bool], a [Value.Int] (the four integers), a [Value.Real], a
    /// [Value.Binary], a [Value.Text] or a [Value.Int128].
    enum Carrier {
        BOOL,
        INT32,
        UINT32,
        INT64,
        UINT64,
        FLOAT,
        DOUBLE,
        BYTES,
        TEXT,
        INT128
    }

    /// A type without parameters. `wireId` is Ydb.Type.PrimitiveTypeId.
    enum Primitive implements Type {
        BOOL("Bool", 0x0006, Carrier.BOOL),
        INT8("Int8", 0x0007, Carrier.INT32),
        UINT8("Uint8", 0x0005, Carrier.UINT32),
        INT16("Int16", 0x0008, Carrier.INT32),
        UINT16("Uint16", 0x0009, Carrier.UINT32),
        INT32("Int32", 0x0001, Carrier.INT32),
        UINT32("Uint32", 0x0002, Carrier.UINT32),
        INT64("Int64", 0x0003, Carrier.INT64),
        UINT64("Uint64", 0x0004, Carrier.UINT64),
        FLOAT("Float", 0x0021, Carrier.FLOAT),
        DOUBLE("Double", 0x0020, Carrier.DOUBLE),
        DATE("Date", 0x0030, Carrier.UINT32),
        DATETIME("Datetime", 0x0031, Carrier.UINT32),
        TIMESTAMP("Timestamp", 0x0032, Carrier.UINT64),
        INTERVAL("Interval", 0x0033, Carrier.INT64),
        TZ_DATE("TzDate", 0x0034, Carrier.TEXT),
        TZ_DATETIME("TzDatetime", 0x0035, Carrier.TEXT),
        TZ_TIMESTAMP("TzTimestamp", 0x0036, Carrier.TEXT),
        DATE32("Date32", 0x0040, Carrier.INT32),
        DATETIME64("Datetime64", 0x0041, Carrier.INT64),
        TIMESTAMP64("Timestamp64", 0x0042, Carrier.INT64),
        INTERVAL64("Interval64", 0x0043, Carrier.INT64),
        // The published enum has no names for these three; YDB sends their numbers.
        TZ_DATE32("TzDate32", 0x0044, Carrier.TEXT),
        TZ_DATETIME64("TzDatetime64", 0x0045, Carrier.TEXT),
        TZ_TIMESTAMP64("TzTimestamp64", 0x0046, Carrier.TEXT),
        STRING("String", 0x1001, Carrier.BYTES),
        UTF8("Utf8", 0x1200, Carrier.TEXT),
        YSON("Yson", 0x1201, Carrier.BYTES),
        JSON("Json", 0x1202, Carrier.TEXT),
        UUID("Uuid", 0x1203, Carrier.INT128),
        JSON_DOCUMENT("JsonDocument", 0x1204, Carrier.TEXT),
        DY_NUMBER("DyNumber", 0x1302, Carrier.TEXT);

        private final String text;
        private final int wireId;
        private final Carrier carrier;

        Primitive(String text, int wireId, Carrier carrier) {
            this.text = text;
            this.wireId = wireId;
            this.carrier = carrier;
        }

        @Override
        public String text() {
            return text;
        }

        public int wireId() {
            return wireId;
        }

        public Carrier carrier() {
            return carrier;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// `scale` of the `precision` digits are after the decimal point.
    record Decimal(int precision, int scale) implements Type {
        public static final int MAX_PRECISION = 35;

        public Decimal {
            if (precision < 1 || precision > MAX_PRECISION) {
                throw new IllegalArgumentException("Invalid decimal precision: " + precision);
            }
            if (scale < 0 || scale > precision) {
                throw new IllegalArgumentException("Invalid decimal scale: " + scale);
            }
        }

        @Override
        public String text() {
            return "Decimal(" + precision + "," + scale + ")";
        }
    }

    record Optional(Type item) implements Type {
        @Override
        public String text() {
            return "Optional<" + item.text() + ">";
        }
    }

    record ListOf(Type item) implements Type {
        @Override
        public String text() {
            return "List<" + item.text() + ">";
        }
    }

    record Tuple(List<Type> items) implements Type {
        public Tuple {
            items = List.copyOf(items);
        }

        @Override
        public String text() {
            return "Tuple<" + texts(items) + ">";
        }
    }

    record Member(String name, Type type) {}

    /// Members keep their declared order; values have their items in the same order.
    record Struct(List<Member> members) implements Type {
        public Struct {
            members = List.copyOf(members);
        }

        /// The index of the member; -1 if there is none.
        public int indexOf(String name) {
            for (int index = 0; index < members.size(); index++) {
                if (members.get(index).name().equals(name)) {
                    return index;
                }
            }
            return -1;
        }

        @Override
        public String text() {
            return members.stream()
                    .sorted(Comparator.comparing(Member::name))
                    .map(m -> "'" + m.name() + "':" + m.type().text())
                    .collect(Collectors.joining(",", "Struct<", ">"));
        }
    }

    record Dict(Type key, Type payload) implements Type {
        @Override
        public String text() {
            return "Dict<" + key.text() + "," + payload.text() + ">";
        }
    }

    /// A value of one of several types; `choices` is a [Tuple] or a [Struct].
    record Variant(Type choices) implements Type {
        /// Whether all choices are plain names without a value.
        public boolean isEnum() {
            return choices instanceof Struct(List<Member> members)
                    && members.stream().allMatch(member -> member.type() == Unit.VOID);
        }

        @Override
        public String text() {
            if (isEnum() && choices instanceof Struct(List<Member> members)) {
                return members.stream()
                        .sorted(Comparator.comparing(Member::name))
                        .map(member -> "'" + member.name() + "'")
                        .collect(Collectors.joining(",", "Enum<", ">"));
            }
            return "Variant" + choices.text().substring(choices.text().indexOf('<'));
        }
    }

    record Tagged(String tag, Type base) implements Type {
        @Override
        public String text() {
            return "Tagged<" + base.text() + ",'" + tag + "'>";
        }
    }

    /// Types with one value.
    enum Unit implements Type {
        VOID("Void"),
        NULL("Null"),
        EMPTY_LIST("EmptyList"),
        EMPTY_DICT("EmptyDict");

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    default boolean isOptional() {
        return this instanceof Optional;
    }

    /// The type without its outermost Optional.
    default Type unwrapped() {
        return this instanceof Optional(Type item) ? item : this;
    }

    /// The type in an Optional; a type that is Optional or Null already is returned unchanged.
    default Type optional() {
        return this instanceof Optional || this == Unit.NULL ? this : new Optional(this);
    }

    private static String texts(List<Type> types) {
        return types.stream().map(Type::text).collect(Collectors.joining(","));
    }
}
