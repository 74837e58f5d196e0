package io.cleave.function.document;

import io.cleave.function.call.Registry;
import io.cleave.typed.Errors;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;

/// `Yson::AsInt64(node)` and similar functions: the value of a node of exactly this type. For any
/// other node the query fails; `Yson::TryAsInt64` returns NULL.
final class YsonCasts {
    private YsonCasts() {}

    static void register(Registry registry) {
        Type node = YsonModule.NODE;
        add(registry, "Bool", Primitive.BOOL, YsonNode.Bool.class);
        add(registry, "Int64", Primitive.INT64, YsonNode.Int64.class);
        add(registry, "Uint64", Primitive.UINT64, YsonNode.Uint64.class);
        add(registry, "Double", Primitive.DOUBLE, YsonNode.Real.class);
        add(registry, "String", Primitive.STRING, YsonNode.Text.class);
        add(registry, "List", new Type.ListOf(node), YsonNode.Items.class);
        add(registry, "Dict", new Type.Dict(Primitive.STRING, node), YsonNode.Members.class);
    }

    private static void add(
            Registry registry, String name, Type type, Class<? extends YsonNode> kind) {
        registry.add(
                YsonModule.MODULE,
                "As" + name,
                call -> {
                    call.expect(1);
                    var at = call.at();
                    return call.strict(
                            type,
                            List.of(YsonModule.argument(call, 0)),
                            a ->
                                    find(type, kind, a[0])
                                            .orElseThrow(
                                                    () ->
                                                            Errors.failure(
                                                                    at,
                                                                    call.name()
                                                                            + ": the node is of"
                                                                            + " another type")));
                });
        registry.add(
                YsonModule.MODULE,
                "TryAs" + name,
                call -> {
                    call.expect(1);
                    return call.strict(
                            type.optional(),
                            List.of(YsonModule.argument(call, 0)),
                            a -> find(type, kind, a[0]).orElse(Value.Null.NULL));
                });
    }

    private static Optional<Value> find(Type type, Class<? extends YsonNode> kind, Value value) {
        YsonNode node = YsonModule.node(value).bare();
        if (!kind.isInstance(node)) {
            return Optional.empty();
        }
        return switch (node) {
            case YsonNode.Items(List<YsonNode> items) ->
                    Optional.of(Value.items(items.stream().map(YsonModule::value).toList()));
            case YsonNode.Members members -> Optional.of(YsonLookups.pairs(members));
            default -> YsonValues.find((Primitive) type, node, false);
        };
    }
}
