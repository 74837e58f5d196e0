package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.function.call.Texts;
import io.cleave.value.Ints;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Converts YSON scalars to YQL values. Without `autoConvert` the types must match, except that a
/// number is accepted as another number type that can hold it.
final class YsonValues {
    private YsonValues() {}

    /// Empty if the node has another type and cannot be converted.
    static Optional<Value> find(Primitive type, YsonNode node, boolean autoConvert) {
        Optional<Value> exact = exact(type, node);
        return exact.isPresent() || !autoConvert ? exact : converted(type, node);
    }

    private static Optional<Value> exact(Primitive type, YsonNode node) {
        return Optional.ofNullable(
                switch (node) {
                    case YsonNode.Bool(boolean value) when type == Primitive.BOOL ->
                            Value.bool(value);
                    case YsonNode.Int64(long value) when type == Primitive.INT64 -> Value.of(value);
                    // A number of the other signedness is accepted if it fits.
                    case YsonNode.Uint64(long value) when type == Primitive.INT64 && value >= 0 ->
                            Value.of(value);
                    case YsonNode.Uint64(long value) when type == Primitive.UINT64 ->
                            Value.of(value);
                    case YsonNode.Int64(long value) when type == Primitive.UINT64 && value >= 0 ->
                            Value.of(value);
                    case YsonNode.Real(double value) when type == Primitive.DOUBLE ->
                            Value.of(value);
                    case YsonNode.Int64(long value) when type == Primitive.DOUBLE ->
                            Value.of((double) value);
                    case YsonNode.Uint64(long value) when type == Primitive.DOUBLE ->
                            Value.of(Double.parseDouble(Long.toUnsignedString(value)));
                    case YsonNode.Text(Bytes value) when type == Primitive.STRING ->
                            Value.binary(value);
                    default -> null;
                });
    }

    private static Optional<Value> converted(Primitive type, YsonNode node) {
        Optional<String> text = text(node);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (type == Primitive.STRING) {
            return Optional.of(Value.binary(Bytes.utf8(text.get())));
        }
        if (type == Primitive.BOOL && !(node instanceof YsonNode.Text)) {
            return Optional.of(Value.bool(!text.get().equals("0")));
        }
        if (node instanceof YsonNode.Bool(boolean value)) {
            return ValueParser.parse(type, value ? "1" : "0");
        }
        if (node instanceof YsonNode.Real(double value) && type != Primitive.DOUBLE) {
            return ValueParser.parse(type, Long.toString((long) value));
        }
        return ValueParser.parse(type, text.get());
    }

    /// The text form of a scalar.
    private static Optional<String> text(YsonNode node) {
        return switch (node) {
            case YsonNode.Bool(boolean value) -> Optional.of(Boolean.toString(value));
            case YsonNode.Int64(long value) -> Optional.of(Long.toString(value));
            case YsonNode.Uint64(long value) -> Optional.of(Long.toUnsignedString(value));
            case YsonNode.Real(double value) ->
                    Optional.of(TextForm.print(Primitive.DOUBLE, Value.of(value)));
            case YsonNode.Text(Bytes value) -> ValueParser.utf8(value);
            default -> Optional.empty();
        };
    }

    /// Converts a value to YSON; empty for types that have no form in YSON.
    static Optional<YsonNode> node(Type type, Value value) {
        if (value.isNull()) {
            return Optional.of(new YsonNode.Entity());
        }
        return switch (type) {
            case Type.Optional(Type item) ->
                    node(item, value instanceof Value.Just(Value inner) ? inner : value);
            case Type.ListOf(Type item) -> {
                var items = new ArrayList<YsonNode>();
                for (Value part : ((Value.Items) value).items()) {
                    Optional<YsonNode> node = node(item, part);
                    if (node.isEmpty()) {
                        yield node;
                    }
                    items.add(node.get());
                }
                yield Optional.of(new YsonNode.Items(items));
            }
            case Type.Tuple(var types) -> {
                var items = new ArrayList<YsonNode>();
                for (int index = 0; index < types.size(); index++) {
                    Optional<YsonNode> node =
                            node(types.get(index), ((Value.Items) value).items().get(index));
                    if (node.isEmpty()) {
                        yield node;
                    }
                    items.add(node.get());
                }
                yield Optional.of(new YsonNode.Items(items));
            }
            case Type.Struct(var members) -> {
                var nodes = new LinkedHashMap<Bytes, YsonNode>();
                for (int index = 0; index < members.size(); index++) {
                    Optional<YsonNode> node =
                            node(
                                    members.get(index).type(),
                                    ((Value.Items) value).items().get(index));
                    if (node.isEmpty()) {
                        yield node;
                    }
                    nodes.put(Bytes.utf8(members.get(index).name()), node.get());
                }
                yield Optional.of(new YsonNode.Members(nodes));
            }
            case Type.Dict(Type key, Type payload) when Texts.isString(key) -> {
                var nodes = new LinkedHashMap<Bytes, YsonNode>();
                for (Value.Pair pair : ((Value.Pairs) value).pairs()) {
                    Optional<YsonNode> node = node(payload, pair.payload());
                    if (node.isEmpty()) {
                        yield node;
                    }
                    nodes.put(Texts.bytes(pair.key()), node.get());
                }
                yield Optional.of(new YsonNode.Members(nodes));
            }
            case Primitive primitive -> scalar(primitive, value);
            default -> Optional.empty();
        };
    }

    private static Optional<YsonNode> scalar(Primitive type, Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> Optional.of(new YsonNode.Bool(bool));
            case Value.Int(long number) ->
                    !Ints.isInteger(type)
                            ? Optional.empty()
                            : Optional.of(
                                    Ints.isSigned(type)
                                            ? new YsonNode.Int64(number)
                                            : new YsonNode.Uint64(number));
            case Value.Real(double number) -> Optional.of(new YsonNode.Real(number));
            case Value.Binary(Bytes bytes) ->
                    type == Primitive.YSON
                            ? YsonNode.parse(bytes)
                            : Optional.of(new YsonNode.Text(bytes));
            case Value.Text(String text) when type == Primitive.UTF8 ->
                    Optional.of(new YsonNode.Text(Bytes.utf8(text)));
            case Value.Text(String text)
                    when type == Primitive.JSON || type == Primitive.JSON_DOCUMENT ->
                    JsonFunctions.parsed(type, text).map(YsonJson::fromJson);
            default -> Optional.empty();
        };
    }
}
