package io.cleave.function.time;

import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Converts Tz values for comparison operators, which compare only the point in time. The time zone
/// also counts when values are sorted, grouped, joined or searched in a collection.
public final class UtcMoments {
    private UtcMoments() {}

    /// The expression with each Tz value replaced by its time in UTC, also inside tuples, structs
    /// and lists.
    public static Typed of(Typed own) {
        Type type = type(own.type());
        return type.equals(own.type())
                ? own
                : new Typed.Convert(type, own, value -> value(own.type(), value));
    }

    private static Type type(Type own) {
        return switch (own) {
            case Primitive primitive when TzText.isTz(primitive) -> TzText.moment(primitive);
            case Type.Optional(Type item) -> new Type.Optional(type(item));
            case Type.ListOf(Type item) -> new Type.ListOf(type(item));
            case Type.Tuple(List<Type> items) ->
                    new Type.Tuple(items.stream().map(UtcMoments::type).toList());
            case Type.Struct(List<Type.Member> members) ->
                    new Type.Struct(
                            members.stream()
                                    .map(each -> new Type.Member(each.name(), type(each.type())))
                                    .toList());
            default -> own;
        };
    }

    private static Value value(Type own, Value value) {
        if (value.isNull()) {
            return value;
        }
        return switch (own) {
            case Primitive primitive when TzText.isTz(primitive) ->
                    Value.of(TzText.units(primitive, ((Value.Text) value).value()));
            case Type.Optional(Type item) ->
                    value instanceof Value.Just(Value inner)
                            ? new Value.Just(value(item, inner))
                            : value(item, value);
            case Type.ListOf(Type item) ->
                    Value.items(
                            ((Value.Items) value)
                                    .items().stream().map(v -> value(item, v)).toList());
            case Type.Tuple(List<Type> types) -> items(types, value);
            case Type.Struct(List<Type.Member> members) ->
                    items(members.stream().map(Type.Member::type).toList(), value);
            default -> value;
        };
    }

    private static Value items(List<Type> types, Value value) {
        List<Value> items = ((Value.Items) value).items();
        List<Value> moments = new ArrayList<>();
        for (int index = 0; index < items.size(); index++) {
            moments.add(value(types.get(index), items.get(index)));
        }
        return Value.items(moments);
    }
}
