package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The part of the module `Yson` that goes into a node: ConvertTo…, Lookup…, YPath… and Contains.
///
/// `Yson::Options(true AS AutoConvert, false AS Strict)` may stand as the last argument: a node of
/// another type than wanted ends the query, is converted, or is NULL.
final class YsonLookups {
    private static final Type NODE = YsonModule.NODE;
    private static final Type DICT = new Type.Dict(Primitive.STRING, NODE);

    private static final Map<String, Primitive> SCALARS = new LinkedHashMap<>();

    static {
        SCALARS.put("Bool", Primitive.BOOL);
        SCALARS.put("Int64", Primitive.INT64);
        SCALARS.put("Uint64", Primitive.UINT64);
        SCALARS.put("Double", Primitive.DOUBLE);
        SCALARS.put("String", Primitive.STRING);
    }

    private static final Type.Struct OPTIONS =
            new Type.Struct(
                    List.of(
                            new Type.Member("AutoConvert", Primitive.BOOL),
                            new Type.Member("Strict", Primitive.BOOL)));

    private static final Conversion ITSELF = (node, _) -> Optional.of(YsonModule.value(node));

    private YsonLookups() {}

    /// Makes a value of a node that was found; nothing if the node is of another type.
    @FunctionalInterface
    private interface Conversion {
        Optional<Value> apply(YsonNode node, boolean autoConvert);
    }

    static void register(Functions.Registry registry) {
        String module = YsonModule.MODULE;
        registry.add(module, "Options", YsonLookups::options);
        registry.add(module, "Contains", YsonLookups::contains);
        registry.add(module, "Lookup", c -> search(c, NODE, ITSELF, false));
        registry.add(module, "YPath", c -> search(c, NODE, ITSELF, true));
        SCALARS.forEach(
                (name, type) -> {
                    Conversion scalar = (node, auto) -> YsonValues.find(type, node.bare(), auto);
                    Type list = new Type.ListOf(type);
                    Type dict = new Type.Dict(Primitive.STRING, type);
                    registry.add(module, "ConvertTo" + name, c -> convert(c, type, scalar));
                    registry.add(
                            module,
                            "ConvertTo" + name + "List",
                            c -> convert(c, list, (node, auto) -> list(node, scalar, auto)));
                    registry.add(
                            module,
                            "ConvertTo" + name + "Dict",
                            c -> convert(c, dict, (node, auto) -> dict(node, scalar, auto)));
                    registry.add(module, "Lookup" + name, c -> search(c, type, scalar, false));
                    registry.add(module, "YPath" + name, c -> search(c, type, scalar, true));
                });
        Type nodes = new Type.ListOf(NODE);
        Conversion toList = (node, auto) -> list(node, ITSELF, auto);
        Conversion toDict = (node, auto) -> dict(node, ITSELF, auto);
        registry.add(module, "ConvertToList", c -> convert(c, nodes, toList));
        registry.add(module, "ConvertToDict", c -> convert(c, DICT, toDict));
        registry.add(module, "LookupList", c -> search(c, nodes, toList, false));
        registry.add(module, "LookupDict", c -> search(c, DICT, toDict, false));
        registry.add(module, "YPathList", c -> search(c, nodes, toList, true));
        registry.add(module, "YPathDict", c -> search(c, DICT, toDict, true));
    }

    private static Optional<Value> list(YsonNode node, Conversion item, boolean auto) {
        if (!(node.bare() instanceof YsonNode.Items(List<YsonNode> nodes))) {
            return Optional.empty();
        }
        var items = new ArrayList<Value>();
        for (YsonNode part : nodes) {
            Optional<Value> value = item.apply(part, auto);
            if (value.isEmpty()) {
                return value;
            }
            items.add(value.get());
        }
        return Optional.of(Value.items(items));
    }

    private static Optional<Value> dict(YsonNode node, Conversion item, boolean auto) {
        if (!(node.bare() instanceof YsonNode.Members(var members))) {
            return Optional.empty();
        }
        var pairs = new ArrayList<Value.Pair>();
        for (var member : members.entrySet()) {
            Optional<Value> value = item.apply(member.getValue(), auto);
            if (value.isEmpty()) {
                return value;
            }
            pairs.add(new Value.Pair(Value.binary(member.getKey()), value.get()));
        }
        return Optional.of(new Value.Pairs(pairs));
    }

    static Value pairs(YsonNode.Members members) {
        return dict(members, ITSELF, false).orElseThrow();
    }

    private static Typed options(FunctionCall call) {
        var named = new NamedArguments(call, 0, "AutoConvert", "Strict");
        return new Typed.Constant(
                OPTIONS,
                Value.items(
                        List.of(
                                Value.bool(named.flag("AutoConvert", false)),
                                Value.bool(named.flag("Strict", true)))));
    }

    /// How a call wants its types.
    private record Manner(Position at, String name, boolean autoConvert, boolean strict) {
        static Manner of(FunctionCall call, int index) {
            call.expect(index, index + 1);
            if (call.count() == index) {
                return new Manner(call.at(), call.name(), false, true);
            }
            if (call.value(index) instanceof Typed.Constant(Type type, Value.Items items)
                    && type.equals(OPTIONS)) {
                return new Manner(
                        call.at(),
                        call.name(),
                        items.items().get(0).equals(Value.Bool.TRUE),
                        items.items().get(1).equals(Value.Bool.TRUE));
            }
            throw call.error(
                    "Expected Yson::Options(…) as argument %d of %s"
                            .formatted(index + 1, call.name()));
        }

        Value apply(Conversion conversion, YsonNode node) {
            if (node.bare() instanceof YsonNode.Entity) {
                return Value.Null.NULL;
            }
            Optional<Value> value = conversion.apply(node, autoConvert);
            if (value.isEmpty() && strict) {
                throw Errors.failure(at, name + ": the node is of another type");
            }
            return value.orElse(Value.Null.NULL);
        }
    }

    private static Typed convert(FunctionCall call, Type type, Conversion conversion) {
        Manner manner = Manner.of(call, 1);
        return call.strict(
                type.optional(),
                List.of(YsonModule.argument(call, 0)),
                a -> manner.apply(conversion, YsonModule.node(a[0])));
    }

    private static Typed contains(FunctionCall call) {
        Manner manner = Manner.of(call, 2);
        return call.strict(
                Primitive.BOOL.optional(),
                List.of(YsonModule.argument(call, 0), call.as(1, Primitive.STRING)),
                a -> {
                    YsonNode node = YsonModule.node(a[0]).bare();
                    if (node instanceof YsonNode.Items || node instanceof YsonNode.Members) {
                        return Value.bool(member(node, Texts.of(a[1])).isPresent());
                    }
                    if (manner.strict() && !(node instanceof YsonNode.Entity)) {
                        throw Errors.failure(
                                manner.at(), "Yson::Contains: the node is neither list nor dict");
                    }
                    return Value.Null.NULL;
                });
    }

    /// `Lookup(node, "key")` or `YPath(node, "/a/0/@b")`; NULL if there is nothing.
    private static Typed search(FunctionCall call, Type type, Conversion conversion, boolean path) {
        Manner manner = Manner.of(call, 2);
        return call.strict(
                type.optional(),
                List.of(YsonModule.argument(call, 0), call.as(1, Primitive.STRING)),
                a -> {
                    YsonNode node = YsonModule.node(a[0]);
                    String wanted = Texts.of(a[1]);
                    Optional<YsonNode> found =
                            path ? follow(manner.at(), node, wanted) : member(node, wanted);
                    return found.map(n -> manner.apply(conversion, n)).orElse(Value.Null.NULL);
                });
    }

    /// A member by its name, an item by its number; negative ones count from the end.
    private static Optional<YsonNode> member(YsonNode node, String name) {
        return switch (node.bare()) {
            case YsonNode.Members(var members) ->
                    Optional.ofNullable(members.get(Bytes.utf8(name)));
            case YsonNode.Items(List<YsonNode> items) -> {
                if (!name.matches("-?[0-9]{1,9}")) {
                    yield Optional.empty();
                }
                int number = Integer.parseInt(name);
                int index = number < 0 ? items.size() + number : number;
                yield index >= 0 && index < items.size()
                        ? Optional.of(items.get(index))
                        : Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    private static Optional<YsonNode> follow(Position at, YsonNode node, String path) {
        if (!path.startsWith("/")) {
            throw Errors.failure(at, "Invalid YPath: " + path);
        }
        Optional<YsonNode> found = Optional.of(node);
        for (String step : path.substring(1).split("/", -1)) {
            found =
                    found.flatMap(
                            current -> {
                                if (!step.startsWith("@")) {
                                    return member(current, step);
                                }
                                return current instanceof YsonNode.Attributed(var attributes, _)
                                        ? member(attributes, step.substring(1))
                                        : Optional.empty();
                            });
        }
        return found;
    }
}
