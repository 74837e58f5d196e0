package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.anything;
import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.YtType.ANY;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.NULL;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.base.Bytes;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Values of the type `any`: their parts, and how they are made of other values.
final class YtYsonFunctions {
    private static final YtType[] SCALARS_AND_ANY = {INT64, UINT64, BOOLEAN, DOUBLE, STRING, ANY};

    private YtYsonFunctions() {}

    static void register(YtFunction.Registry registry) {
        for (YtType type : SCALARS_AND_ANY) {
            registry.accept(
                    YtFunction.strict(
                            "get_" + type.text(),
                            Signature.of(one(type), one(ANY), one(STRING)),
                            a -> required(type, a)));
            registry.accept(
                    YtFunction.nullable(
                            "try_get_" + type.text(),
                            Signature.of(one(type), one(ANY), one(STRING)),
                            a ->
                                    a[0].isNull() || a[1].isNull()
                                            ? Value.Null.NULL
                                            : found(type, a)));
        }
        registry.accept(
                new YtFunction(
                        "to_any",
                        Signature.of(one(ANY), anything(1)),
                        (arguments, _) -> YtCasts.cast(arguments.getFirst(), ANY)));
        registry.accept(
                YtFunction.strict(
                        "yson_string_to_any",
                        Signature.of(one(ANY), one(STRING)),
                        a -> YtYson.value(YtYson.parse(YtArithmetic.bytes(a[0])))));
        registry.accept(
                YtFunction.strict(
                        "any_to_yson_string",
                        Signature.of(one(STRING), one(ANY)),
                        a -> Value.binary(YtYson.text(YtYson.parse(YtArithmetic.bytes(a[0]))))));
        registry.accept(
                YtFunction.strict(
                        "yson_length",
                        Signature.of(one(INT64), one(ANY)),
                        a -> Value.of(length(YtYson.parse(YtArithmetic.bytes(a[0]))))));
        registry.accept(
                new YtFunction(
                        "list_contains",
                        Signature.of(
                                one(BOOLEAN),
                                one(ANY),
                                oneOf(NULL, INT64, UINT64, DOUBLE, BOOLEAN, STRING)),
                        (arguments, _) -> listContains(arguments)));
        registry.accept(
                YtFunction.strict(
                        "list_has_intersection",
                        Signature.of(one(BOOLEAN), one(ANY), one(ANY)),
                        a -> Value.bool(intersect(items(a[0]), items(a[1])))));
        registry.accept(
                new YtFunction(
                        "make_map",
                        new Signature(one(ANY), List.of(), oneOf(SCALARS_AND_ANY)),
                        (arguments, _) -> made("make_map", arguments, YtYsonFunctions::map)));
        registry.accept(
                new YtFunction(
                        "make_list",
                        new Signature(one(ANY), List.of(), oneOf(SCALARS_AND_ANY)),
                        (arguments, _) ->
                                made(
                                        "make_list",
                                        arguments,
                                        (types, values) ->
                                                new YsonNode.Items(nodes(types, values)))));
        registry.accept(
                new YtFunction(
                        "make_entity",
                        Signature.of(one(ANY)),
                        (_, type) ->
                                new Typed.Constant(
                                        type.type(), YtYson.value(new YsonNode.Entity()))));
    }

    private static Value required(YtType type, Value[] a) {
        Value value = found(type, a);
        if (value.isNull()) {
            throw YtQueryErrors.failure(
                    "Value of type \"%s\" is not found at YPath \"%s\""
                            .formatted(type.text(), YtYson.escaped(YtArithmetic.bytes(a[1]))));
        }
        return value;
    }

    /// The value at a path; NULL if there is none or it has another type.
    private static Value found(YtType type, Value[] a) {
        YsonNode root = YtYson.parse(YtArithmetic.bytes(a[0]));
        YsonNode node = YsonPath.find(root, YtArithmetic.bytes(a[1]));
        return node == null ? Value.Null.NULL : value(type, node);
    }

    private static Value value(YtType type, YsonNode node) {
        if (type == ANY) {
            return YtYson.value(node);
        }
        return switch (node.bare()) {
            case YsonNode.Int64(long number) when type == INT64 -> Value.of(number);
            case YsonNode.Int64(long number) when type == UINT64 && number >= 0 -> Value.of(number);
            case YsonNode.Int64(long number) when type == DOUBLE -> Value.of((double) number);
            case YsonNode.Uint64(long bits) when type == UINT64 -> Value.of(bits);
            case YsonNode.Uint64(long bits) when type == INT64 && bits >= 0 -> Value.of(bits);
            case YsonNode.Uint64(long bits) when type == DOUBLE ->
                    Value.of(YtLiteral.unsignedToDouble(bits));
            case YsonNode.Real(double number) when type == DOUBLE -> Value.of(number);
            case YsonNode.Bool(boolean bool) when type == BOOLEAN -> Value.bool(bool);
            case YsonNode.Text(Bytes bytes) when type == STRING -> Value.binary(bytes);
            default -> Value.Null.NULL;
        };
    }

    /// The number of items of a list or map; 0 for other values.
    private static long length(YsonNode node) {
        return switch (node.bare()) {
            case YsonNode.Items(List<YsonNode> items) -> items.size();
            case YsonNode.Members members -> members.members().size();
            default -> 0;
        };
    }

    private static List<YsonNode> items(Value value) {
        return items(YtYson.parse(YtArithmetic.bytes(value)));
    }

    private static List<YsonNode> items(YsonNode node) {
        if (node.bare() instanceof YsonNode.Items(List<YsonNode> items)) {
            return items;
        }
        throw YtQueryErrors.failure(
                "Node has invalid type: expected \"list\", actual \"%s\""
                        .formatted(YtYson.nodeType(node)));
    }

    /// A list contains NULL if it contains an entity. The result is NULL if the list is NULL or an
    /// entity.
    private static Typed listContains(List<Typed> arguments) {
        YtType type = YtType.of(arguments.get(1).type());
        return YtFunction.nullable(
                        "list_contains",
                        Signature.of(one(BOOLEAN)),
                        a -> {
                            if (a[0].isNull()) {
                                return Value.Null.NULL;
                            }
                            YsonNode list = YtYson.parse(YtArithmetic.bytes(a[0]));
                            if (list.bare() instanceof YsonNode.Entity) {
                                return Value.Null.NULL;
                            }
                            YsonNode searched =
                                    a[1].isNull() ? new YsonNode.Entity() : YtYson.node(type, a[1]);
                            return Value.bool(contains(items(list), searched));
                        })
                .maker()
                .make(arguments, BOOLEAN);
    }

    private static boolean contains(List<YsonNode> items, YsonNode searched) {
        for (YsonNode item : items) {
            YsonNode bare = item.bare();
            if (!isNan(bare) && normalized(bare).equals(normalized(searched))) {
                return true;
            }
        }
        return false;
    }

    /// NaN does not equal NaN.
    private static boolean isNan(YsonNode node) {
        return node instanceof YsonNode.Real(double value) && Double.isNaN(value);
    }

    private static boolean intersect(List<YsonNode> left, List<YsonNode> right) {
        @Nullable YtType type = null;
        Set<YsonNode> values = new HashSet<>();
        for (YsonNode item : right) {
            YsonNode bare = item.bare();
            YtType own = YtYson.type(bare);
            if (own == NULL) {
                continue;
            }
            if (own == ANY) {
                throw YtQueryErrors.failure(
                        "ListHasIntersection is not implemented for \"%s\" values"
                                .formatted(YtYson.nodeType(bare)));
            }
            if (type != null && type != own) {
                throw YtQueryErrors.failure(
                        "ListHasIntersection args list must contain only elements of the same"
                                + " type");
            }
            type = own;
            values.add(normalized(bare));
        }
        for (YsonNode item : left) {
            YsonNode bare = item.bare();
            if (!isNan(bare) && values.contains(normalized(bare))) {
                return true;
            }
        }
        return false;
    }

    /// Makes both zeros of doubles equal.
    private static YsonNode normalized(YsonNode node) {
        return node instanceof YsonNode.Real(double value) ? new YsonNode.Real(value + 0.0) : node;
    }

    @FunctionalInterface
    private interface NodeMaker {
        YsonNode make(List<YtType> types, Value[] values);
    }

    private static Typed made(String name, List<Typed> arguments, NodeMaker maker) {
        List<YtType> types = arguments.stream().map(a -> YtType.of(a.type())).toList();
        Type any = ANY.type();
        return new Typed.Apply(
                any,
                ScalarFunction.refusing(name, a -> YtYson.value(maker.make(types, a))),
                arguments);
    }

    private static YsonNode map(List<YtType> types, Value[] values) {
        if (values.length % 2 != 0) {
            throw YtQueryErrors.failure("\"make_map\" takes a even number of arguments");
        }
        var members = new LinkedHashMap<Bytes, YsonNode>();
        List<YsonNode> nodes = nodes(types, values);
        for (int index = 0; index < values.length; index += 2) {
            if (!(nodes.get(index) instanceof YsonNode.Text(Bytes name))
                    || types.get(index) != STRING) {
                throw YtQueryErrors.failure(
                        "Invalid type of key in key-value pair #%d: expected \"string\", got \"%s\""
                                .formatted(
                                        index / 2,
                                        (values[index].isNull() ? NULL : types.get(index)).text()));
            }
            members.put(name, nodes.get(index + 1));
        }
        return new YsonNode.Members(members);
    }

    private static List<YsonNode> nodes(List<YtType> types, Value[] values) {
        var nodes = new ArrayList<YsonNode>();
        for (int index = 0; index < values.length; index++) {
            nodes.add(
                    values[index].isNull()
                            ? new YsonNode.Entity()
                            : YtYson.node(types.get(index), values[index]));
        }
        return nodes;
    }
}
