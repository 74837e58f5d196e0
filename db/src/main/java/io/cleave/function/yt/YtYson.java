package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.io.ByteArrayOutputStream;
import java.util.List;

/// Values of the type `any`, which are YSON.
final class YtYson {
    private YtYson() {}

    static YsonNode parse(Bytes yson) {
        return YsonNode.parse(yson).orElseThrow(() -> YtQueryErrors.failure("Error parsing YSON"));
    }

    static Value value(YsonNode node) {
        return Value.binary(YsonWriter.write(node, YsonWriter.Format.BINARY));
    }

    /// A value that is not NULL as YSON.
    static YsonNode node(YtType type, Value value) {
        return switch (type) {
            case NULL -> new YsonNode.Entity();
            case INT64 -> new YsonNode.Int64(YtArithmetic.integer(value));
            case UINT64 -> new YsonNode.Uint64(YtArithmetic.integer(value));
            case DOUBLE -> new YsonNode.Real(YtArithmetic.real(value));
            case BOOLEAN -> new YsonNode.Bool(YtArithmetic.bool(value));
            case STRING -> new YsonNode.Text(YtArithmetic.bytes(value));
            case ANY -> parse(YtArithmetic.bytes(value));
        };
    }

    /// The type of the node without its attributes; ANY for lists and maps.
    static YtType type(YsonNode node) {
        return switch (node.bare()) {
            case YsonNode.Entity _ -> YtType.NULL;
            case YsonNode.Int64 _ -> YtType.INT64;
            case YsonNode.Uint64 _ -> YtType.UINT64;
            case YsonNode.Real _ -> YtType.DOUBLE;
            case YsonNode.Bool _ -> YtType.BOOLEAN;
            case YsonNode.Text _ -> YtType.STRING;
            default -> YtType.ANY;
        };
    }

    /// The name that messages have for the first token of the node.
    static String token(YsonNode node) {
        return switch (node) {
            case YsonNode.Entity _ -> "hash";
            case YsonNode.Items _ -> "left_bracket";
            case YsonNode.Members _ -> "left_brace";
            case YsonNode.Attributed _ -> "left_angle";
            default -> type(node).text();
        };
    }

    /// The node's text as messages show it between quotation marks.
    static String escaped(YsonNode node) {
        return escaped(YsonWriter.write(node, YsonWriter.Format.TEXT));
    }

    /// Bytes as messages show them between quotation marks, with C escapes.
    static String escaped(Bytes bytes) {
        Bytes quoted = YsonWriter.write(new YsonNode.Text(bytes), YsonWriter.Format.TEXT);
        String text = quoted.utf8();
        return text.substring(1, text.length() - 1);
    }

    /// The name that messages have for the type of a node.
    static String nodeType(YsonNode node) {
        return switch (node.bare()) {
            case YsonNode.Entity _ -> "entity";
            case YsonNode.Items _ -> "list";
            case YsonNode.Members _ -> "map";
            default -> type(node).text();
        };
    }

    /// The node in YTsaurus' text form, which has a semicolon after every item.
    static Bytes text(YsonNode node) {
        var out = new ByteArrayOutputStream();
        write(node, out);
        return Bytes.wrap(out.toByteArray());
    }

    private static void write(YsonNode node, ByteArrayOutputStream out) {
        switch (node) {
            case YsonNode.Items(List<YsonNode> items) -> {
                out.write('[');
                for (YsonNode item : items) {
                    write(item, out);
                    out.write(';');
                }
                out.write(']');
            }
            case YsonNode.Members members -> {
                out.write('{');
                writeMembers(members, out);
                out.write('}');
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) -> {
                out.write('<');
                writeMembers(attributes, out);
                out.write('>');
                write(value, out);
            }
            default -> out.writeBytes(YsonWriter.write(node, YsonWriter.Format.TEXT).array());
        }
    }

    private static void writeMembers(YsonNode.Members members, ByteArrayOutputStream out) {
        members.members()
                .forEach(
                        (name, value) -> {
                            write(new YsonNode.Text(name), out);
                            out.write('=');
                            write(value, out);
                            out.write(';');
                        });
    }
}
