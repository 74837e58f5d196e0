package io.cleave.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rules of CAST between two types.
///
/// A List drops the items that fail, unless its item type is Optional; a Dict drops such pairs. A
/// Tuple or Struct fails as a whole if a member that is not Optional fails. Members that the target
/// lacks are dropped. Members that the source lacks must be Optional and become NULL.
public final class Cast {
    private Cast() {}

    /// Empty if the types cannot be cast to each other.
    public static Optional<Caster> find(Type from, Type to) {
        if (from.equals(to)) {
            return Optional.of(Caster.IDENTITY);
        }
        if (from == Type.Unit.NULL) {
            return Optional.of(Caster.failing(value -> value));
        }
        if (from instanceof Type.Tagged(_, Type base)) {
            return find(base, to);
        }
        if (to instanceof Type.Tagged(_, Type base)) {
            return find(from, base);
        }
        if (from.isOptional() || to.isOptional()) {
            Type fromItem = from.unwrapped();
            Type toItem = to.unwrapped();
            if (fromItem.isOptional() && toItem.isOptional()) {
                return find(fromItem, toItem).map(Cast::within);
            }
            // At most one level of NULL on each side; more levels would need a Just to distinguish
            // them.
            boolean flat =
                    !fromItem.isOptional()
                            && !toItem.isOptional()
                            && !(from.isOptional() && fromItem instanceof Type.Unit);
            return flat ? find(fromItem, toItem) : Optional.empty();
        }
        return switch (to) {
            case Type.Primitive _, Type.Decimal _ -> PrimitiveCast.find(from, to);
            case Type.ListOf(Type item) -> {
                if (from == Type.Unit.EMPTY_LIST) {
                    yield Optional.of(empty(Value.items(List.of())));
                }
                yield from instanceof Type.ListOf(Type source)
                        ? find(source, item).map(caster -> list(caster, item))
                        : Optional.empty();
            }
            case Type.Dict dict -> {
                if (from == Type.Unit.EMPTY_DICT) {
                    yield Optional.of(empty(new Value.Pairs(List.of())));
                }
                yield from instanceof Type.Dict source ? dict(source, dict) : Optional.empty();
            }
            case Type.Tuple(List<Type> items) ->
                    from instanceof Type.Tuple(List<Type> sources)
                            ? tuple(sources, items)
                            : Optional.empty();
            case Type.Struct struct ->
                    from instanceof Type.Struct source ? struct(source, struct) : Optional.empty();
            case Type.Variant _, Type.Unit _, Type.Optional _, Type.Tagged _ -> Optional.empty();
        };
    }

    /// The type of `CAST(x AS to)` if x has the type `from` and the cast exists.
    public static Type resultType(Type from, Type to, Caster caster) {
        return caster.mayFail() || from.isOptional() ? to.optional() : to;
    }

    /// Casts the item of an Optional that is itself an Optional. If the result is NULL, it becomes
    /// Just(NULL).
    private static Caster within(Caster item) {
        return Caster.total(
                value -> {
                    Value cast = item.apply(value instanceof Value.Just(Value just) ? just : value);
                    return cast.isNull() || cast instanceof Value.Just
                            ? new Value.Just(cast)
                            : cast;
                });
    }

    /// EmptyList and EmptyDict have the value NULL here; it is cast to an empty container.
    private static Caster empty(Value container) {
        return new Caster(_ -> container, false);
    }

    private static Caster list(Caster caster, Type item) {
        return Caster.total(
                value -> {
                    List<Value> items = ((Value.Items) value).items();
                    var cast = new ArrayList<Value>(items.size());
                    for (Value source : items) {
                        Value result = caster.apply(source);
                        if (!result.isNull() || item.isOptional()) {
                            cast.add(result);
                        }
                    }
                    return Value.items(cast);
                });
    }

    private static Optional<Caster> dict(Type.Dict from, Type.Dict to) {
        Optional<Caster> keys = find(from.key(), to.key());
        Optional<Caster> payloads = find(from.payload(), to.payload());
        if (keys.isEmpty() || payloads.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Caster.total(
                        value -> {
                            var pairs = new ArrayList<Value.Pair>();
                            for (Value.Pair pair : ((Value.Pairs) value).pairs()) {
                                Value key = keys.get().apply(pair.key());
                                Value payload = payloads.get().apply(pair.payload());
                                boolean kept =
                                        (!key.isNull() || to.key().isOptional())
                                                && (!payload.isNull() || to.payload().isOptional());
                                if (kept) {
                                    pairs.add(new Value.Pair(key, payload));
                                }
                            }
                            return new Value.Pairs(pairs);
                        }));
    }

    private static Optional<Caster> tuple(List<Type> from, List<Type> to) {
        var positions = new ArrayList<Integer>();
        for (int index = 0; index < to.size(); index++) {
            positions.add(index < from.size() ? index : -1);
        }
        return members(from, to, positions);
    }

    private static Optional<Caster> struct(Type.Struct from, Type.Struct to) {
        List<Integer> positions =
                to.members().stream().map(member -> from.indexOf(member.name())).toList();
        return members(
                from.members().stream().map(Type.Member::type).toList(),
                to.members().stream().map(Type.Member::type).toList(),
                positions);
    }

    /// `positions` has, for each target member, the index of its source member, or -1.
    private static Optional<Caster> members(
            List<Type> from, List<Type> to, List<Integer> positions) {
        var casters = new ArrayList<Optional<Caster>>();
        boolean mayFail = false;
        for (int index = 0; index < to.size(); index++) {
            Type target = to.get(index);
            int position = positions.get(index);
            if (position < 0) {
                if (!target.isOptional()) {
                    return Optional.empty();
                }
                casters.add(Optional.empty());
                continue;
            }
            Type source = from.get(position);
            Optional<Caster> caster = find(source, target);
            if (caster.isEmpty()) {
                return caster;
            }
            casters.add(caster);
            mayFail |= !target.isOptional() && (caster.get().mayFail() || source.isOptional());
        }
        return Optional.of(Caster.of(value -> castMembers(value, to, positions, casters), mayFail));
    }

    private static Value castMembers(
            Value value, List<Type> to, List<Integer> positions, List<Optional<Caster>> casters) {
        List<Value> items = ((Value.Items) value).items();
        var cast = new ArrayList<Value>(to.size());
        for (int index = 0; index < to.size(); index++) {
            Optional<Caster> caster = casters.get(index);
            Value result =
                    caster.isPresent()
                            ? caster.get().apply(items.get(positions.get(index)))
                            : Value.Null.NULL;
            if (result.isNull() && !to.get(index).isOptional()) {
                return Value.Null.NULL;
            }
            cast.add(result);
        }
        return Value.items(cast);
    }
}
