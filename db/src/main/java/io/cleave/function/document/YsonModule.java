package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.NamedArguments;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.hash.CityHash;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The module `Yson`, except for the functions in [YsonLookups]. YDB has a resource Yson2.Node;
/// Cleave uses a tagged Yson. Yson and Json are accepted wherever a node is.
public final class YsonModule {
    static final String MODULE = "Yson";
    static final Type NODE = new Type.Tagged("Yson2.Node", Primitive.YSON);

    private YsonModule() {}

    public static void register(Registry registry) {
        registry.add(MODULE, "Parse", YsonModule::parse);
        registry.add(MODULE, "ParseJson", YsonModule::parseJson);
        registry.add(MODULE, "ParseJsonDecodeUtf8", YsonModule::parseJson);
        registry.add(MODULE, "From", YsonModule::from);
        registry.add(MODULE, "WithAttributes", YsonModule::withAttributes);
        registry.add(MODULE, "Attributes", YsonModule::attributes);
        registry.add(MODULE, "Equals", YsonModule::equal);
        registry.add(MODULE, "GetLength", YsonModule::length);
        registry.add(MODULE, "Serialize", c -> serialize(c, YsonWriter.Format.BINARY));
        registry.add(MODULE, "SerializeText", c -> serialize(c, YsonWriter.Format.TEXT));
        registry.add(MODULE, "SerializePretty", c -> serialize(c, YsonWriter.Format.PRETTY));
        registry.add(MODULE, "SerializeJson", YsonModule::serializeJson);
        is(registry, "IsEntity", YsonNode.Entity.class::isInstance);
        is(registry, "IsString", YsonNode.Text.class::isInstance);
        is(registry, "IsDouble", YsonNode.Real.class::isInstance);
        is(registry, "IsInt64", YsonNode.Int64.class::isInstance);
        is(registry, "IsUint64", YsonNode.Uint64.class::isInstance);
        is(registry, "IsBool", YsonNode.Bool.class::isInstance);
        is(registry, "IsList", YsonNode.Items.class::isInstance);
        is(registry, "IsDict", YsonNode.Members.class::isInstance);
        registry.add(MODULE, "ConvertTo", YsonTyped::resolve);
        registry.add(MODULE, "GetHash", YsonModule::hash);
        registry.add(MODULE, "Iterate", YsonIteration::resolve);
        for (String name : List.of("MutCreate", "Mutate")) {
            registry.refuse(MODULE, name);
        }
        YsonLookups.register(registry);
        YsonCasts.register(registry);
    }

    /// The argument, checked to be of a type that [#node] reads.
    static Typed argument(FunctionCall call, int index) {
        Type type = call.bare(index);
        if (!isNode(type) && type != Type.Unit.NULL) {
            throw call.error(
                    "Expected Yson, Json or a node of them as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), call.type(index).text()));
        }
        return call.value(index);
    }

    /// Whether values of the type are accepted as nodes.
    public static boolean isNode(Type type) {
        return type.equals(NODE)
                || type == Primitive.YSON
                || type == Primitive.JSON
                || type == Primitive.JSON_DOCUMENT;
    }

    static YsonNode node(Value value) {
        return value instanceof Value.Text(String json)
                ? YsonJson.fromJson(Json.parse(json).orElse(Json.Constant.NULL))
                : YsonNode.parse(((Value.Binary) value).value()).orElse(new YsonNode.Entity());
    }

    static Value value(YsonNode node) {
        return Value.binary(YsonWriter.write(node, YsonWriter.Format.TEXT));
    }

    private static Typed parse(FunctionCall call) {
        return parse(call, text -> YsonNode.parse(Texts.bytes(text)));
    }

    private static Typed parseJson(FunctionCall call) {
        return parse(call, text -> Json.parse(Texts.of(text)).map(YsonJson::fromJson));
    }

    /// Parses a String, or converts a Yson or Json. For an invalid String the result is NULL if
    /// types are not strict.
    private static Typed parse(FunctionCall call, Function<Value, Optional<YsonNode>> read) {
        YsonLookups.Manner manner = YsonLookups.Manner.of(call, 1);
        if (!Texts.isString(call.bare(0))) {
            return call.strict(NODE, List.of(argument(call, 0)), a -> value(node(a[0])));
        }
        return call.strict(
                NODE.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a ->
                        read.apply(a[0])
                                .map(YsonModule::value)
                                .orElseGet(() -> manner.mismatch("the text cannot be read")));
    }

    private static Typed from(FunctionCall call) {
        call.expect(1);
        Type type = call.type(0);
        var at = call.at();
        return call.apply(
                NODE,
                List.of(call.value(0)),
                a ->
                        value(
                                YsonValues.node(type, a[0])
                                        .orElseThrow(
                                                () ->
                                                        Errors.failure(
                                                                at,
                                                                "Yson::From of type "
                                                                        + type.text()))));
    }

    private static Typed withAttributes(FunctionCall call) {
        call.expect(2);
        return call.strict(
                NODE.optional(),
                List.of(argument(call, 0), argument(call, 1)),
                a ->
                        node(a[1]) instanceof YsonNode.Members attributes
                                ? value(new YsonNode.Attributed(attributes, node(a[0]).bare()))
                                : Value.Null.NULL);
    }

    private static Typed attributes(FunctionCall call) {
        call.expect(1);
        return call.strict(
                new Type.Dict(Primitive.STRING, NODE),
                List.of(argument(call, 0)),
                a ->
                        YsonLookups.pairs(
                                node(a[0]) instanceof YsonNode.Attributed(var attributes, _)
                                        ? attributes
                                        : new YsonNode.Members(new LinkedHashMap<>())));
    }

    private static Typed equal(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Primitive.BOOL,
                List.of(argument(call, 0), argument(call, 1)),
                a -> Value.bool(node(a[0]).equals(node(a[1]))));
    }

    /// Equal nodes have equal hashes, whatever the order of their members. The value is specific to
    /// Cleave.
    private static Typed hash(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.UINT64,
                List.of(argument(call, 0)),
                a ->
                        Value.of(
                                CityHash.hash64(
                                        YsonWriter.write(
                                                        sorted(node(a[0])),
                                                        YsonWriter.Format.BINARY)
                                                .array())));
    }

    private static YsonNode sorted(YsonNode node) {
        return switch (node) {
            case YsonNode.Items(var items) ->
                    new YsonNode.Items(items.stream().map(YsonModule::sorted).toList());
            case YsonNode.Members members -> sorted(members);
            case YsonNode.Attributed(var attributes, YsonNode value) ->
                    new YsonNode.Attributed(sorted(attributes), sorted(value));
            default -> node;
        };
    }

    private static YsonNode.Members sorted(YsonNode.Members members) {
        var sorted = new LinkedHashMap<Bytes, YsonNode>();
        members.members().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(member -> sorted.put(member.getKey(), sorted(member.getValue())));
        return new YsonNode.Members(sorted);
    }

    private static void is(Registry registry, String name, Predicate<YsonNode> test) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1, 2);
                    return call.strict(
                            Primitive.BOOL,
                            List.of(argument(call, 0)),
                            a -> Value.bool(test.test(node(a[0]).bare())));
                });
    }

    /// The number of items of a list or dict, or of bytes of a string; NULL for other nodes.
    private static Typed length(FunctionCall call) {
        call.expect(1, 2);
        return call.strict(
                Primitive.UINT64.optional(),
                List.of(argument(call, 0)),
                a ->
                        switch (node(a[0]).bare()) {
                            case YsonNode.Items(List<YsonNode> items) -> Value.of(items.size());
                            case YsonNode.Members(var members) -> Value.of(members.size());
                            case YsonNode.Text(Bytes text) -> Value.of(text.length());
                            default -> Value.Null.NULL;
                        });
    }

    private static Typed serialize(FunctionCall call, YsonWriter.Format format) {
        call.expect(1);
        return call.strict(
                Primitive.YSON,
                List.of(argument(call, 0)),
                a -> Value.binary(YsonWriter.write(node(a[0]), format)));
    }

    private static Typed serializeJson(FunctionCall call) {
        call.expect(1, 5);
        var named =
                new NamedArguments(
                        call, 1, "Options", "SkipMapEntity", "EncodeUtf8", "WriteNanAsString");
        if (call.count() > 1 && call.label(1).isEmpty()) {
            // The argument must be options, although they have no effect here.
            YsonLookups.Manner.read(call, 1);
        }
        var writing =
                new YsonJson.Writing(
                        named.flag("SkipMapEntity", false),
                        named.flag("EncodeUtf8", false),
                        named.flag("WriteNanAsString", false));
        return call.strict(
                Primitive.JSON.optional(),
                List.of(argument(call, 0)),
                a -> {
                    Optional<Json> json = YsonJson.toJson(node(a[0]), writing);
                    return json.map(j -> Value.text(j.print())).orElse(Value.Null.NULL);
                });
    }
}
