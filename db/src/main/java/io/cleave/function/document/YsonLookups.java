package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect.YsonTypes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.NamedArguments;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The functions of the module `Yson` that read parts of a node: ConvertTo…, Lookup…, YPath… and
/// Contains.
///
/// `Yson::Options(true AS AutoConvert, false AS Strict)` may be the last argument. It decides
/// whether a node of an unexpected type fails the query, is converted, or becomes NULL.
public final class YsonLookups {
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

    /// Converts a found node to a value; empty if the node has another type.
    @FunctionalInterface
    interface Conversion {
        Optional<Value> apply(YsonNode node, YsonTypes types);
    }

    static void register(Registry registry) {
        String module = YsonModule.MODULE;
        registry.add(module, "Options", YsonLookups::options);
        registry.add(module, "Contains", YsonLookups::contains);
        registry.add(module, "Lookup", c -> search(c, NODE, ITSELF, false));
        registry.add(module, "YPath", c -> search(c, NODE, ITSELF, true));
        SCALARS.forEach(
                (name, type) -> {
                    Conversion scalar =
                            (node, types) ->
                                    YsonValues.find(type, node.bare(), types.autoConvert());
                    Type list = new Type.ListOf(type);
                    Type dict = new Type.Dict(Primitive.STRING, type);
                    registry.add(module, "ConvertTo" + name, c -> scalar(c, type, scalar));
                    registry.add(
                            module,
                            "ConvertTo" + name + "List",
                            c -> container(c, list, (node, types) -> list(node, scalar, types)));
                    registry.add(
                            module,
                            "ConvertTo" + name + "Dict",
                            c -> container(c, dict, (node, types) -> dict(node, scalar, types)));
                    registry.add(module, "Lookup" + name, c -> search(c, type, scalar, false));
                    registry.add(module, "YPath" + name, c -> search(c, type, scalar, true));
                });
        Type nodes = new Type.ListOf(NODE);
        Conversion toList = (node, types) -> list(node, ITSELF, types);
        Conversion toDict = (node, types) -> dict(node, ITSELF, types);
        registry.add(module, "ConvertToList", c -> container(c, nodes, toList));
        registry.add(module, "ConvertToDict", c -> container(c, DICT, toDict));
        registry.add(module, "LookupList", c -> search(c, nodes, toList, false));
        registry.add(module, "LookupDict", c -> search(c, DICT, toDict, false));
        registry.add(module, "YPathList", c -> search(c, nodes, toList, true));
        registry.add(module, "YPathDict", c -> search(c, DICT, toDict, true));
    }

    private static Optional<Value> list(YsonNode node, Conversion item, YsonTypes types) {
        if (!(node.bare() instanceof YsonNode.Items(List<YsonNode> nodes))) {
            return Optional.empty();
        }
        var items = new ArrayList<Value>();
        for (YsonNode part : nodes) {
            Optional<Value> value = item.apply(part, types);
            if (value.isEmpty() && types.strict()) {
                return value;
            }
            value.ifPresent(items::add);
        }
        return Optional.of(Value.items(items));
    }

    private static Optional<Value> dict(YsonNode node, Conversion item, YsonTypes types) {
        if (!(node.bare() instanceof YsonNode.Members(var members))) {
            return Optional.empty();
        }
        var pairs = new ArrayList<Value.Pair>();
        for (var member : members.entrySet()) {
            Optional<Value> value = item.apply(member.getValue(), types);
            if (value.isEmpty() && types.strict()) {
                return value;
            }
            value.ifPresent(v -> pairs.add(new Value.Pair(Value.binary(member.getKey()), v)));
        }
        return Optional.of(new Value.Pairs(pairs));
    }

    static Value pairs(YsonNode.Members members) {
        return dict(members, ITSELF, YsonTypes.DEFAULT).orElseThrow();
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

    /// How a call handles type mismatches: by its optional last argument, or else by the pragmas.
    record Manner(Position at, String name, YsonTypes types) {
        static Manner of(FunctionCall call, int index) {
            call.expect(index, index + 1);
            return call.count() == index
                    ? new Manner(call.at(), call.name(), call.scope().dialect().yson())
                    : read(call, index);
        }

        /// Reads the options argument at this index.
        static Manner read(FunctionCall call, int index) {
            if (call.value(index) instanceof Typed.Constant(Type type, Value value)) {
                if (type == Type.Unit.NULL) {
                    return new Manner(call.at(), call.name(), call.scope().dialect().yson());
                }
                if (type.equals(OPTIONS) && value instanceof Value.Items(List<Value> flags)) {
                    var types =
                            new YsonTypes(
                                    flags.get(0).equals(Value.Bool.TRUE),
                                    flags.get(1).equals(Value.Bool.TRUE));
                    return new Manner(call.at(), call.name(), types);
                }
            }
            throw call.error(
                    "Expected Yson::Options(…) as argument %d of %s"
                            .formatted(index + 1, call.name()));
        }

        Value apply(Conversion conversion, YsonNode node) {
            // An entity is NULL. When a node is returned as a node, an entity with attributes is
            // not NULL.
            boolean isNull =
                    (conversion.equals(ITSELF) ? node : node.bare()) instanceof YsonNode.Entity;
            if (isNull) {
                return Value.Null.NULL;
            }
            return conversion
                    .apply(node, types)
                    .orElseGet(() -> mismatch("the node is of another type"));
        }

        /// Throws if types are strict; otherwise returns NULL.
        Value mismatch(String what) {
            if (types.strict()) {
                throw Errors.failure(at, name + ": " + what);
            }
            return Value.Null.NULL;
        }
    }

    private static Typed scalar(FunctionCall call, Type type, Conversion conversion) {
        Manner manner = Manner.of(call, 1);
        return call.strict(
                type.optional(),
                List.of(YsonModule.argument(call, 0)),
                a -> manner.apply(conversion, YsonModule.node(a[0])));
    }

    /// A node that is not a list or dict gives an empty container, unless types are strict.
    private static Typed container(FunctionCall call, Type type, Conversion conversion) {
        Manner manner = Manner.of(call, 1);
        Value empty =
                type instanceof Type.Dict ? new Value.Pairs(List.of()) : Value.items(List.of());
        return call.strict(
                type,
                List.of(YsonModule.argument(call, 0)),
                a -> {
                    Value value = manner.apply(conversion, YsonModule.node(a[0]));
                    return value.isNull() ? empty : value;
                });
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
                    return node instanceof YsonNode.Entity
                            ? Value.Null.NULL
                            : manner.mismatch("the node is neither list nor dict");
                });
    }

    /// `Lookup(node, "key")` or `YPath(node, "/a/0/@b")`; NULL if nothing is found.
    private static Typed search(FunctionCall call, Type type, Conversion conversion, boolean path) {
        Manner manner = Manner.of(call, 2);
        return call.strict(
                type.optional(),
                List.of(YsonModule.argument(call, 0), call.as(1, Primitive.STRING)),
                a -> {
                    YsonNode node = YsonModule.node(a[0]);
                    String wanted = Texts.of(a[1]);
                    return path
                            ? follow(manner.at(), node, wanted)
                                    .map(n -> manner.apply(conversion, n))
                                    .orElse(Value.Null.NULL)
                            : lookup(manner, conversion, node, wanted);
                });
    }

    private static Value lookup(
            Manner manner, Conversion conversion, YsonNode node, String wanted) {
        return switch (node.bare()) {
            case YsonNode.Items _, YsonNode.Members _ ->
                    member(node, wanted)
                            .map(n -> manner.apply(conversion, n))
                            .orElse(Value.Null.NULL);
            case YsonNode.Entity _ -> Value.Null.NULL;
            default -> manner.mismatch("the node is neither list nor dict");
        };
    }

    /// `node.key` and `node["key"]`, which mean `Yson::Lookup(node, "key")`.
    public static Typed access(Position at, Typed node, Typed key, YsonTypes types) {
        var manner = new Manner(at, "Yson::Lookup", types);
        Type type = key.type().unwrapped();
        if (!Texts.isString(type) && !Ints.isInteger(type)) {
            throw Errors.type(at, "Expected string or integer key, but got: " + type.text());
        }
        boolean unsigned = type instanceof Primitive number && !Ints.isSigned(number);
        return new Typed.Apply(
                NODE.optional(),
                ScalarFunction.strict(
                        manner.name(),
                        a ->
                                lookup(
                                        manner,
                                        ITSELF,
                                        YsonModule.node(a[0]),
                                        a[1] instanceof Value.Int(long bits)
                                                ? Ints.number(unsigned, bits).toString()
                                                : Texts.of(a[1]))),
                List.of(node, key));
    }

    /// A member by its name, or a list item by its index, which may have a sign. Negative indexes
    /// count from the end.
    private static Optional<YsonNode> member(YsonNode node, String name) {
        return switch (node.bare()) {
            case YsonNode.Members(var members) ->
                    Optional.ofNullable(members.get(Bytes.utf8(name)));
            case YsonNode.Items(List<YsonNode> items) -> {
                if (!name.matches("[+-]?[0-9]{1,9}")) {
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
        // As in the YPath of tables, `//` is also the root.
        int begin = path.startsWith("//") ? 2 : 1;
        Optional<YsonNode> found = Optional.of(node);
        for (String step : path.substring(begin).split("/", -1)) {
            found =
                    found.flatMap(
                            current -> {
                                if (!step.startsWith("@")) {
                                    return member(current, step);
                                }
                                if (!(current instanceof YsonNode.Attributed(var all, _))) {
                                    return Optional.empty();
                                }
                                // `/@` means all attributes.
                                String name = step.substring(1);
                                return name.isEmpty() ? Optional.of(all) : member(all, name);
                            });
        }
        return found;
    }
}
