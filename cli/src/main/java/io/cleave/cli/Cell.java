package io.cleave.cli;

import tech.ydb.table.values.DecimalType;
import tech.ydb.table.values.DictValue;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.OptionalValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.TupleValue;
import tech.ydb.table.values.Type;
import tech.ydb.table.values.Value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.StringJoiner;

/// Formats a value for a person: text without quotes, NULL as a word, bytes that are not UTF-8 in
/// hexadecimal.
final class Cell {
    private Cell() {}

    static String text(Value<?> value) {
        return switch (value) {
            case OptionalValue optional -> optional.isPresent() ? text(optional.get()) : "NULL";
            case PrimitiveValue primitive -> primitive(primitive);
            case ListValue list -> list(list);
            case TupleValue tuple -> tuple(tuple);
            case StructValue struct -> struct(struct);
            case DictValue dict -> dict(dict);
            default -> value.toString();
        };
    }

    /// Whether values of the type are numbers, which are right-aligned.
    static boolean isNumber(Type type) {
        Type plain = type.getKind() == Type.Kind.OPTIONAL ? type.unwrapOptional() : type;
        if (plain instanceof DecimalType) {
            return true;
        }
        return plain instanceof PrimitiveType primitive
                && switch (primitive) {
                    case Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64 -> true;
                    case Float, Double, DyNumber -> true;
                    default -> false;
                };
    }

    private static String primitive(PrimitiveValue value) {
        return switch (value.getType()) {
            case Text -> value.getText();
            case Json -> value.getJson();
            case JsonDocument -> value.getJsonDocument();
            case Bytes -> bytes(value.getBytesUnsafe());
            case Yson -> bytes(value.getYsonUnsafe());
            case Uuid -> value.getUuidString();
            case Date -> value.getDate().toString();
            case Date32 -> value.getDate32().toString();
            case Datetime -> value.getDatetime() + "Z";
            case Datetime64 -> value.getDatetime64() + "Z";
            case Timestamp -> value.getTimestamp().toString();
            case Timestamp64 -> value.getTimestamp64().toString();
            case Interval -> value.getInterval().toString();
            case Interval64 -> value.getInterval64().toString();
            default -> value.toString();
        };
    }

    private static String bytes(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return "0x" + HexFormat.of().formatHex(bytes);
        }
    }

    private static String list(ListValue list) {
        var text = new StringJoiner(", ", "[", "]");
        for (int index = 0; index < list.size(); index++) {
            text.add(text(list.get(index)));
        }
        return text.toString();
    }

    private static String tuple(TupleValue tuple) {
        var text = new StringJoiner(", ", "(", ")");
        for (int index = 0; index < tuple.size(); index++) {
            text.add(text(tuple.get(index)));
        }
        return text.toString();
    }

    private static String struct(StructValue struct) {
        StructType type = struct.getType();
        var text = new StringJoiner(", ", "{", "}");
        for (int index = 0; index < type.getMembersCount(); index++) {
            text.add(type.getMemberName(index) + ": " + text(struct.getMemberValue(index)));
        }
        return text.toString();
    }

    private static String dict(DictValue dict) {
        var text = new StringJoiner(", ", "{", "}");
        dict.entrySet().forEach(e -> text.add(text(e.getKey()) + ": " + text(e.getValue())));
        return text.toString();
    }
}
