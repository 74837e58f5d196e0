package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The module `Yson`, but for what it has in [YsonLookups]. What YDB calls the resource Yson2.Node
/// is here a Yson with a tag; Yson and Json are taken where a node is.
final class YsonModule {
    static final String MODULE = "Yson";
    static final Type NODE = new Type.Tagged("Yson2.Node", Primitive.YSON);

    private YsonModule() {}

    static void register(Functions.Registry registry) {
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
        for (String name : List.of("GetHash", "ConvertTo", "Iterate", "MutCreate")) {
            registry.refuse(MODULE, name);
        }
        YsonLookups.register(registry);
    }

    /// The argument as something that [#node] reads.
    static Typed argument(FunctionCall call, int index) {
        Type type = call.bare(index);
        boolean known =
                type.equals(NODE)
                        || type == Primitive.YSON
                        || type == Primitive.JSON
                        || type == Primitive.JSON_DOCUMENT
                        || type == Type.Unit.NULL;
        if (!known) {
            throw call.error(
                    "Expected Yson, Json or a node of them as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), call.type(index).text()));
        }
        return call.value(index);
    }

    static YsonNode node(Value value) {
        return value instanceof Value.Text(String json)
                ? YsonJson.fromJson(Json.parse(json).orElse(Json.Constant.NULL))
                : YsonNode.parse(((Value.Binary) value).value()).orElse(new YsonNode.Entity());
    }

    static Value value(YsonNode node) {
        return Value.binary(YsonWriter.write(node, YsonWriter.Format.TEXT));
    }

    /// Of a Yson; of a String, NULL if it is none.
    private static Typed parse(FunctionCall call) {
        call.expect(1, 2);
        boolean text = StringFunctions.isString(call.bare(0));
        Typed argument = text ? call.as(0, Primitive.STRING) : argument(call, 0);
        return call.strict(
                text ? NODE.optional() : NODE,
                List.of(argument),
                a ->
                        text
                                ? YsonNode.parse(Texts.bytes(a[0]))
                                        .map(YsonModule::value)
                                        .orElse(Value.Null.NULL)
                                : value(node(a[0])));
    }

    private static Typed parseJson(FunctionCall call) {
        call.expect(1, 2);
        boolean text = StringFunctions.isString(call.bare(0));
        Typed argument = text ? call.as(0, Primitive.STRING) : argument(call, 0);
        return call.strict(
                text ? NODE.optional() : NODE,
                List.of(argument),
                a ->
                        text
                                ? Json.parse(Texts.of(a[0]))
                                        .map(YsonJson::fromJson)
                                        .map(YsonModule::value)
                                        .orElse(Value.Null.NULL)
                                : value(node(a[0])));
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

    private static void is(Functions.Registry registry, String name, Predicate<YsonNode> test) {
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

    /// Of a list or a dict; NULL of anything else.
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
        call.expect(1);
        return call.strict(
                Primitive.JSON.optional(),
                List.of(argument(call, 0)),
                a -> {
                    Optional<Json> json = YsonJson.toJson(node(a[0]));
                    return json.map(j -> Value.text(j.print())).orElse(Value.Null.NULL);
                });
    }
}
