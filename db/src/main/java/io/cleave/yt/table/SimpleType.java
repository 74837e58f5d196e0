package io.cleave.yt.table;

import io.cleave.value.Type.Primitive;
import io.cleave.yt.format.WireType;

import java.util.Optional;

/// A type without parameters, with its names in `type` and in `type_v3`.
enum SimpleType {
    INT8("int8", Primitive.INT8, WireType.INT64),
    INT16("int16", Primitive.INT16, WireType.INT64),
    INT32("int32", Primitive.INT32, WireType.INT64),
    INT64("int64", Primitive.INT64, WireType.INT64),
    UINT8("uint8", Primitive.UINT8, WireType.UINT64),
    UINT16("uint16", Primitive.UINT16, WireType.UINT64),
    UINT32("uint32", Primitive.UINT32, WireType.UINT64),
    UINT64("uint64", Primitive.UINT64, WireType.UINT64),
    FLOAT("float", Primitive.FLOAT, WireType.DOUBLE),
    DOUBLE("double", Primitive.DOUBLE, WireType.DOUBLE),
    BOOLEAN("boolean", "bool", Primitive.BOOL, WireType.BOOLEAN),
    STRING("string", Primitive.STRING, WireType.STRING),
    UTF8("utf8", Primitive.UTF8, WireType.STRING),
    JSON("json", Primitive.JSON, WireType.STRING),
    UUID("uuid", Primitive.UUID, WireType.STRING),
    DATE("date", Primitive.DATE, WireType.UINT64),
    DATETIME("datetime", Primitive.DATETIME, WireType.UINT64),
    TIMESTAMP("timestamp", Primitive.TIMESTAMP, WireType.UINT64),
    INTERVAL("interval", Primitive.INTERVAL, WireType.INT64),
    DATE32("date32", Primitive.DATE32, WireType.INT64),
    DATETIME64("datetime64", Primitive.DATETIME64, WireType.INT64),
    TIMESTAMP64("timestamp64", Primitive.TIMESTAMP64, WireType.INT64),
    INTERVAL64("interval64", Primitive.INTERVAL64, WireType.INT64),
    ANY("any", "yson", Primitive.YSON, WireType.ANY);

    final String name;
    final String nameInV3;

    /// The type of the column in YQL.
    final Primitive stored;

    final WireType wire;

    SimpleType(String name, Primitive stored, WireType wire) {
        this(name, name, stored, wire);
    }

    SimpleType(String name, String nameInV3, Primitive stored, WireType wire) {
        this.name = name;
        this.nameInV3 = nameInV3;
        this.stored = stored;
        this.wire = wire;
    }

    static Optional<SimpleType> named(String name) {
        for (SimpleType type : values()) {
            if (type.name.equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    static Optional<SimpleType> namedInV3(String name) {
        for (SimpleType type : values()) {
            if (type.nameInV3.equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
