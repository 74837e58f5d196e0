package io.cleave.query;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Conversions of a sent value to the type that is expected, where none can fail: `T` to
/// `Optional<T>`, a narrower integer to a wider one, Utf8 to String, and containers of these.
/// Members of a Struct are found by name, because clients sort them.
final class Widening {
    private static final Map<Primitive, Set<Primitive>> WIDER = new EnumMap<>(Primitive.class);

    static {
        WIDER.put(
                Primitive.INT8, Set.of(Primitive.INT16, Primitive.INT32, Primitive.INT64));
        WIDER.put(Primitive.INT16, Set.of(Primitive.INT32, Primitive.INT64));
        WIDER.put(Primitive.INT32, Set.of(Primitive.INT64));
        WIDER.put(
                Primitive.UINT8,
                Set.of(
                        Primitive.UINT16,
                        Primitive.INT16,
                        Primitive.UINT32,
                        Primitive.INT32,
                        Primitive.UINT64,
                        Primitive.INT64));
        WIDER.put(
                Primitive.UINT16,
                Set.of(Primitive.UINT32, Primitive.INT32, Primitive.UINT64, Primitive.INT64));
        WIDER.put(Primitive.UINT32, Set.of(Primitive.UINT64, Primitive.INT64));
    }

    private Widening() {}

    static Optional<UnaryOperator<Value>> of(Type from, Type to) {
        if (from.equals(to)) {
            return Optional.of(UnaryOperator.identity());
        }
        if (to instanceof Type.Optional(Type toItem)) {
            if (from == Type.Unit.NULL) {
                return Optional.of(UnaryOperator.identity());
            }
            if (from instanceof Type.Optional(Type fromItem)) {
                return of(fromItem, toItem).map(Widening::keepingNull);
            }
            // A value of T is itself a value of Optional<T>, but for an Optional in an Optional.
            return toItem.isOptional() ? Optional.empty() : of(from, toItem);
        }
        return switch (from) {
            case Primitive primitive -> ofPrimitive(primitive, to);
            case Type.ListOf(Type item) when to instanceof Type.ListOf(Type toItem) ->
                    of(item, toItem).map(Widening::eachItem);
            case Type.Tuple(var items) when to instanceof Type.Tuple(var toItems) ->
                    ofTuple(items, toItems);
            case Type.Struct struct when to instanceof Type.Struct toStruct ->
                    ofStruct(struct, toStruct);
            case Type.Dict(Type key, Type payload)
                    when to instanceof Type.Dict(Type toKey, Type toPayload) ->
                    ofDict(of(key, toKey), of(payload, toPayload));
            case Type.Unit unit
                    when unit == Type.Unit.EMPTY_LIST && to instanceof Type.ListOf ->
                    Optional.of(_ -> Value.items(List.of()));
            case Type.Unit unit when unit == Type.Unit.EMPTY_DICT && to instanceof Type.Dict ->
                    Optional.of(_ -> new Value.Pairs(List.of()));
            case Type _ -> Optional.empty();
        };
    }

    private static Optional<UnaryOperator<Value>> ofPrimitive(Primitive from, Type to) {
        if (to instanceof Primitive wider
                && WIDER.getOrDefault(from, Set.of()).contains(wider)) {
            // Integers are kept in 64 bits whatever their width.
            return Optional.of(UnaryOperator.identity());
        }
        if (from == Primitive.UTF8 && to == Primitive.STRING) {
            return Optional.of(Widening::bytesOfText);
        }
        return Optional.empty();
    }

    private static Value bytesOfText(Value value) {
        return value instanceof Value.Text(String text)
                ? Value.binary(io.cleave.base.Bytes.utf8(text))
                : value;
    }

    private static UnaryOperator<Value> keepingNull(UnaryOperator<Value> conversion) {
        return value -> value.isNull() ? value : conversion.apply(value);
    }

    private static UnaryOperator<Value> eachItem(UnaryOperator<Value> conversion) {
        return value ->
                value instanceof Value.Items(var items)
                        ? Value.items(items.stream().map(conversion).toList())
                        : value;
    }

    private static Optional<UnaryOperator<Value>> ofTuple(List<Type> from, List<Type> to) {
        if (from.size() != to.size()) {
            return Optional.empty();
        }
        int[] positions = new int[to.size()];
        for (int index = 0; index < positions.length; index++) {
            positions[index] = index;
        }
        return ofItems(from, to, positions);
    }

    private static Optional<UnaryOperator<Value>> ofStruct(Type.Struct from, Type.Struct to) {
        if (from.members().size() != to.members().size()) {
            return Optional.empty();
        }
        int[] positions = new int[to.members().size()];
        for (int index = 0; index < positions.length; index++) {
            positions[index] = from.indexOf(to.members().get(index).name());
            if (positions[index] < 0) {
                return Optional.empty();
            }
        }
        return ofItems(
                from.members().stream().map(Type.Member::type).toList(),
                to.members().stream().map(Type.Member::type).toList(),
                positions);
    }

    /// Item `index` of the result is made of item `positions[index]`.
    private static Optional<UnaryOperator<Value>> ofItems(
            List<Type> from, List<Type> to, int[] positions) {
        List<UnaryOperator<Value>> conversions = new ArrayList<>();
        for (int index = 0; index < positions.length; index++) {
            var conversion = of(from.get(positions[index]), to.get(index));
            if (conversion.isEmpty()) {
                return Optional.empty();
            }
            conversions.add(conversion.get());
        }
        return Optional.of(value -> rearranged(value, conversions, positions));
    }

    private static Value rearranged(
            Value value, List<UnaryOperator<Value>> conversions, int[] positions) {
        if (!(value instanceof Value.Items(var items))) {
            return value;
        }
        Value[] result = new Value[positions.length];
        for (int index = 0; index < result.length; index++) {
            result[index] = conversions.get(index).apply(items.get(positions[index]));
        }
        return Value.items(List.of(result));
    }

    private static Optional<UnaryOperator<Value>> ofDict(
            Optional<UnaryOperator<Value>> key, Optional<UnaryOperator<Value>> payload) {
        if (key.isEmpty() || payload.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                value ->
                        value instanceof Value.Pairs(var pairs)
                                ? new Value.Pairs(
                                        pairs.stream()
                                                .map(
                                                        p ->
                                                                new Value.Pair(
                                                                        key.get().apply(p.key()),
                                                                        payload.get()
                                                                                .apply(
                                                                                        p
                                                                                                .payload())))
                                                .toList())
                                : value);
    }
}
