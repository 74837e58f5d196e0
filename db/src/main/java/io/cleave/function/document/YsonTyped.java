package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect.YsonTypes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Texts;
import io.cleave.function.call.TypeExpressions;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;
import io.cleave.value.YsonNode;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// `Yson::ConvertTo(node, type)`: converts a node to a value of any type that has a form in YSON.
///
/// If types are not strict, a node of an unexpected type becomes NULL in an Optional, and is
/// omitted in a list or dict. Anywhere else it fails the query.
final class YsonTyped {
    private final YsonTypes types;

    private YsonTyped(YsonTypes types) {
        this.types = types;
    }

    static Typed resolve(FunctionCall call) {
        call.expect(2, 3);
        YsonLookups.Manner manner = YsonLookups.Manner.of(call, 2);
        Type type = type(call);
        var reader = new YsonTyped(manner.types());
        return call.strict(
                type,
                List.of(YsonModule.argument(call, 0)),
                a ->
                        reader.value(type, YsonModule.node(a[0]))
                                .orElseThrow(
                                        () ->
                                                Errors.failure(
                                                        manner.at(),
                                                        "Yson::ConvertTo: the node is not of type "
                                                                + type.text())));
    }

    /// A plain name such as `Int32` is parsed as a column name.
    private static Type type(FunctionCall call) {
        return call.expression(1)
                                instanceof
                                Expression.ColumnName(
                                        Position at,
                                        Optional<String> source,
                                        String name)
                        && source.isEmpty()
                        && name.matches("[A-Za-z][A-Za-z0-9]*")
                ? TypeExpressions.parsed(at, name)
                : call.typeArgument(1);
    }

    private Optional<Value> value(Type type, YsonNode node) {
        YsonNode bare = node.bare();
        return switch (type) {
            case Type.Optional(Type item) -> {
                if (bare instanceof YsonNode.Entity) {
                    yield Optional.of(Value.Null.NULL);
                }
                Optional<Value> value = value(item, node);
                yield value.isEmpty() && !types.strict() ? Optional.of(Value.Null.NULL) : value;
            }
            case Type.ListOf(Type item) ->
                    bare instanceof YsonNode.Items(var nodes)
                            ? items(item, nodes)
                            : Optional.empty();
            case Type.Tuple(List<Type> items) ->
                    bare instanceof YsonNode.Items(var nodes) && nodes.size() == items.size()
                            ? tuple(items, nodes)
                            : Optional.empty();
            case Type.Struct(List<Type.Member> members) ->
                    bare instanceof YsonNode.Members all ? struct(members, all) : Optional.empty();
            case Type.Dict(Type key, Type payload) when Texts.isString(key) ->
                    bare instanceof YsonNode.Members all
                            ? dict(key, payload, all)
                            : Optional.empty();
            case Primitive primitive -> primitive(primitive, node);
            default ->
                    type.equals(YsonModule.NODE)
                            ? Optional.of(YsonModule.value(node))
                            : Optional.empty();
        };
    }

    private Optional<Value> items(Type item, List<YsonNode> nodes) {
        var items = new ArrayList<Value>();
        for (YsonNode node : nodes) {
            Optional<Value> value = value(item, node);
            if (value.isEmpty() && types.strict()) {
                return value;
            }
            value.ifPresent(items::add);
        }
        return Optional.of(Value.items(items));
    }

    private Optional<Value> tuple(List<Type> items, List<YsonNode> nodes) {
        var values = new ArrayList<Value>();
        for (int index = 0; index < nodes.size(); index++) {
            Optional<Value> value = value(items.get(index), nodes.get(index));
            if (value.isEmpty()) {
                return value;
            }
            values.add(value.get());
        }
        return Optional.of(Value.items(values));
    }

    /// A missing member is treated as `#`.
    private Optional<Value> struct(List<Type.Member> members, YsonNode.Members all) {
        var values = new ArrayList<Value>();
        for (Type.Member member : members) {
            YsonNode node =
                    all.members().getOrDefault(Bytes.utf8(member.name()), new YsonNode.Entity());
            Optional<Value> value = value(member.type(), node);
            if (value.isEmpty()) {
                return value;
            }
            values.add(value.get());
        }
        return Optional.of(Value.items(values));
    }

    private Optional<Value> dict(Type key, Type payload, YsonNode.Members all) {
        var pairs = new LinkedHashMap<Value, Value>();
        for (var member : all.members().entrySet()) {
            Optional<Value> name =
                    key == Primitive.UTF8
                            ? ValueParser.utf8(member.getKey()).map(Value::text)
                            : Optional.of(Value.binary(member.getKey()));
            Optional<Value> value = value(payload, member.getValue());
            if (name.isPresent() && value.isPresent()) {
                pairs.put(name.get(), value.get());
            } else if (types.strict()) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new Value.Pairs(
                        pairs.entrySet().stream()
                                .map(pair -> new Value.Pair(pair.getKey(), pair.getValue()))
                                .toList()));
    }

    private Optional<Value> primitive(Primitive type, YsonNode node) {
        YsonNode bare = node.bare();
        boolean auto = types.autoConvert();
        return switch (type) {
            case YSON -> Optional.of(YsonModule.value(node));
            case JSON -> YsonJson.toJson(node).map(json -> Value.text(json.print()));
            case BOOL, STRING, INT64, UINT64, DOUBLE -> YsonValues.find(type, bare, auto);
            case FLOAT ->
                    YsonValues.find(Primitive.DOUBLE, bare, auto)
                            .map(value -> Value.of((double) (float) ((Value.Real) value).value()));
            case UTF8 ->
                    YsonValues.find(Primitive.STRING, bare, auto)
                            .flatMap(value -> ValueParser.utf8(Texts.bytes(value)))
                            .map(Value::text);
            default ->
                    Ints.isInteger(type)
                            ? YsonValues.find(Primitive.INT64, bare, auto)
                                    .filter(value -> Ints.fits(type, ((Value.Int) value).value()))
                            : Optional.empty();
        };
    }
}
