package io.cleave.function.call;

import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Makes tuples and structs of different shapes comparable by adding NULLs. A shorter tuple gets
/// NULLs at its end. A struct gets the members that only the other one has. The members of both
/// structs are sorted by name.
public final class Alignment {
    private Alignment() {}

    /// Converts the expression to the shape needed for a comparison with `other`.
    public static Typed align(Typed own, Type other) {
        Type right = other.unwrapped();
        if (own.type() == Type.Unit.EMPTY_LIST && right instanceof Type.ListOf) {
            return new Typed.Constant(right, Value.items(List.of()));
        }
        if (own.type() == Type.Unit.EMPTY_DICT && right instanceof Type.Dict) {
            return new Typed.Constant(right, new Value.Pairs(List.of()));
        }
        Type type = type(own.type(), other);
        return type.equals(own.type())
                ? own
                : new Typed.Convert(type, own, value -> value(own.type(), type, value));
    }

    /// The type `own`, extended so that it has all the items or members of both types.
    public static Type type(Type own, Type other) {
        if (own instanceof Type.Optional(Type item)) {
            return new Type.Optional(type(item, other.unwrapped()));
        }
        Type right = other.unwrapped();
        if (own instanceof Type.ListOf(Type item) && right instanceof Type.ListOf(Type otherItem)) {
            return new Type.ListOf(type(item, otherItem));
        }
        if (own instanceof Type.Tuple(List<Type> items)
                && right instanceof Type.Tuple(List<Type> others)) {
            return new Type.Tuple(items(items, others));
        }
        if (own instanceof Type.Struct struct && right instanceof Type.Struct otherStruct) {
            return new Type.Struct(members(struct, otherStruct));
        }
        return own;
    }

    private static List<Type> items(List<Type> own, List<Type> other) {
        var items = new ArrayList<Type>();
        for (int index = 0; index < Math.max(own.size(), other.size()); index++) {
            if (index >= own.size()) {
                items.add(Type.Unit.NULL);
            } else if (index >= other.size()) {
                items.add(own.get(index));
            } else {
                items.add(type(own.get(index), other.get(index)));
            }
        }
        return items;
    }

    private static List<Type.Member> members(Type.Struct own, Type.Struct other) {
        var names = new TreeSet<String>();
        own.members().forEach(member -> names.add(member.name()));
        other.members().forEach(member -> names.add(member.name()));
        var members = new ArrayList<Type.Member>();
        for (String name : names) {
            int index = own.indexOf(name);
            int otherIndex = other.indexOf(name);
            Type type = index < 0 ? Type.Unit.NULL : own.members().get(index).type();
            members.add(
                    new Type.Member(
                            name,
                            index < 0 || otherIndex < 0
                                    ? type
                                    : type(type, other.members().get(otherIndex).type())));
        }
        return members;
    }

    /// Converts the value to its new shape; `to` is the result of [#type] for `from`.
    private static Value value(Type from, Type to, Value value) {
        if (value.isNull() || from.equals(to)) {
            return value;
        }
        return switch (from) {
            case Type.Optional(Type item) ->
                    value instanceof Value.Just(Value inner)
                            ? new Value.Just(value(item, to.unwrapped(), inner))
                            : value(item, to.unwrapped(), value);
            case Type.ListOf(Type item) -> {
                Type target = ((Type.ListOf) to).item();
                yield Value.items(
                        ((Value.Items) value)
                                .items().stream().map(each -> value(item, target, each)).toList());
            }
            case Type.Tuple(List<Type> types) -> {
                List<Value> items = ((Value.Items) value).items();
                List<Type> targets = ((Type.Tuple) to).items();
                var aligned = new ArrayList<Value>();
                for (int index = 0; index < targets.size(); index++) {
                    aligned.add(
                            index < types.size()
                                    ? value(types.get(index), targets.get(index), items.get(index))
                                    : Value.Null.NULL);
                }
                yield Value.items(aligned);
            }
            case Type.Struct struct -> {
                List<Value> items = ((Value.Items) value).items();
                var aligned = new ArrayList<Value>();
                for (Type.Member member : ((Type.Struct) to).members()) {
                    int index = struct.indexOf(member.name());
                    aligned.add(
                            index < 0
                                    ? Value.Null.NULL
                                    : value(
                                            struct.members().get(index).type(),
                                            member.type(),
                                            items.get(index)));
                }
                yield Value.items(aligned);
            }
            default -> value;
        };
    }
}
