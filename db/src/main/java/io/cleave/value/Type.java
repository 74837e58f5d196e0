package io.cleave.value;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// The type of a value, as YQL writes it: `text()` is what error messages and EXPLAIN show.
///
/// A column has a [Primitive] or a [Decimal], possibly in one [Optional]; the rest lives in
/// parameters and expressions.
public sealed interface Type {
    String text();

    /// A type with a name and nothing else. `wireId` is Ydb.Type.PrimitiveTypeId.
    enum Primitive implements Type {
        BOOL("Bool", 0x0006),
        INT8("Int8", 0x0007),
        UINT8("Uint8", 0x0005),
        INT16("Int16", 0x0008),
        UINT16("Uint16", 0x0009),
        INT32("Int32", 0x0001),
        UINT32("Uint32", 0x0002),
        INT64("Int64", 0x0003),
        UINT64("Uint64", 0x0004),
        FLOAT("Float", 0x0021),
        DOUBLE("Double", 0x0020),
        DATE("Date", 0x0030),
        DATETIME("Datetime", 0x0031),
        TIMESTAMP("Timestamp", 0x0032),
        INTERVAL("Interval", 0x0033),
        TZ_DATE("TzDate", 0x0034),
        TZ_DATETIME("TzDatetime", 0x0035),
        TZ_TIMESTAMP("TzTimestamp", 0x0036),
        DATE32("Date32", 0x0040),
        DATETIME64("Datetime64", 0x0041),
        TIMESTAMP64("Timestamp64", 0x0042),
        INTERVAL64("Interval64", 0x0043),
        // The published enum has no names for these three; YDB writes their numbers.
        TZ_DATE32("TzDate32", 0x0044),
        TZ_DATETIME64("TzDatetime64", 0x0045),
        TZ_TIMESTAMP64("TzTimestamp64", 0x0046),
        STRING("String", 0x1001),
        UTF8("Utf8", 0x1200),
        YSON("Yson", 0x1201),
        JSON("Json", 0x1202),
        UUID("Uuid", 0x1203),
        JSON_DOCUMENT("JsonDocument", 0x1204),
        DY_NUMBER("DyNumber", 0x1302);

        private final String text;
        private final int wireId;

        Primitive(String text, int wireId) {
            this.text = text;
            this.wireId = wireId;
        }

        @Override
        public String text() {
            return text;
        }

        public int wireId() {
            return wireId;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// `scale` digits of the `precision` stand behind the point.
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

    /// Members keep the order in which they were declared; values hold their items in that order.
    record Struct(List<Member> members) implements Type {
        public Struct {
            members = List.copyOf(members);
        }

        /// Where the member stands, or -1.
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

    /// One of several; `choices` is a [Tuple] or a [Struct].
    record Variant(Type choices) implements Type {
        /// Whether it is nothing but one of several names.
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

    /// The type in an Optional, unless it is in one already.
    default Type optional() {
        return this instanceof Optional || this == Unit.NULL ? this : new Optional(this);
    }

    private static String texts(List<Type> types) {
        return types.stream().map(Type::text).collect(Collectors.joining(","));
    }
}
