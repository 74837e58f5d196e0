package io.cleave.function.yt;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The types of the query language. Their order is the order in which YTsaurus prefers them for an
/// expression that could have several types, and in which it compares values of different types.
public enum YtType {
    NULL,
    INT64,
    UINT64,
    DOUBLE,
    BOOLEAN,
    STRING,
    ANY;

    /// The type of values that are not NULL.
    public Type type() {
        return switch (this) {
            case NULL -> Type.Unit.NULL;
            case INT64 -> Primitive.INT64;
            case UINT64 -> Primitive.UINT64;
            case DOUBLE -> Primitive.DOUBLE;
            case BOOLEAN -> Primitive.BOOL;
            case STRING -> Primitive.STRING;
            case ANY -> Primitive.YSON;
        };
    }

    /// The name of the type in messages.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isNumber() {
        return this == INT64 || this == UINT64 || this == DOUBLE;
    }

    public boolean isInteger() {
        return this == INT64 || this == UINT64;
    }

    /// The type of the language for columns of this type. If the language cannot calculate with the
    /// type, it is a string or `any`.
    public static YtType of(Type type) {
        return switch (type.unwrapped()) {
            case Type.Unit _ -> NULL;
            case Primitive primitive ->
                    switch (primitive) {
                        case BOOL -> BOOLEAN;
                        case INT8, INT16, INT32, INT64 -> INT64;
                        case INTERVAL, DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> INT64;
                        case UINT8, UINT16, UINT32, UINT64, DATE, DATETIME, TIMESTAMP -> UINT64;
                        case FLOAT, DOUBLE -> DOUBLE;
                        case STRING, UTF8, JSON, JSON_DOCUMENT, UUID, DY_NUMBER -> STRING;
                        case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> STRING;
                        case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> STRING;
                        case YSON -> ANY;
                    };
            case Type.Decimal _ -> STRING;
            default -> ANY;
        };
    }

    /// The set as messages show it: `int64`, or `one of {int64, uint64}`.
    static String text(Set<YtType> types) {
        return types.size() == 1
                ? types.iterator().next().text()
                : types.stream()
                        .sorted()
                        .map(YtType::text)
                        .collect(Collectors.joining(", ", "one of {", "}"));
    }
}
