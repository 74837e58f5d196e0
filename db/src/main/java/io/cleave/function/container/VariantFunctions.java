package io.cleave.function.container;

import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.function.text.UnicodeModule;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Type.Unit;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Variants, which hold one of several choices; enums, which are variants without values; and
/// tagged values.
public final class VariantFunctions {
    private VariantFunctions() {}

    public static void register(Registry registry) {
        registry.add("AsVariant", VariantFunctions::asVariant);
        registry.add("Variant", VariantFunctions::variant);
        registry.add("DynamicVariant", VariantFunctions::dynamic);
        registry.add("AsEnum", VariantFunctions::asEnum);
        registry.add("Enum", VariantFunctions::enumOf);
        registry.add("VariantItem", VariantFunctions::item);
        registry.add("Way", VariantFunctions::way);
        registry.add("Visit", call -> visit(call, 1));
        registry.add("VisitOrDefault", call -> visit(call, 2));
        registry.add("AsTagged", VariantFunctions::tagged);
        registry.add("Untag", VariantFunctions::untag);
        registry.add("SetCreate", call -> emptyDict(call, 1));
        registry.add("DictCreate", call -> emptyDict(call, 2));
    }

    /// The names of the choices; the choices of a tuple are named by their numbers.
    private static List<String> names(Type.Variant variant) {
        return switch (variant.choices()) {
            case Type.Struct struct -> struct.members().stream().map(Type.Member::name).toList();
            case Type.Tuple(List<Type> items) -> {
                List<String> names = new ArrayList<>();
                for (int index = 0; index < items.size(); index++) {
                    names.add(Integer.toString(index));
                }
                yield names;
            }
            default -> throw new IllegalArgumentException(variant.text());
        };
    }

    private static List<Type> types(Type.Variant variant) {
        return switch (variant.choices()) {
            case Type.Struct struct -> struct.members().stream().map(Type.Member::type).toList();
            case Type.Tuple(List<Type> items) -> items;
            default -> throw new IllegalArgumentException(variant.text());
        };
    }

    private static Type.Variant variantOf(FunctionCall call) {
        if (call.bare(0) instanceof Type.Variant variant) {
            return variant;
        }
        throw call.error("Expected variant type, but got: " + call.type(0).text());
    }

    private static Typed chosen(Type.Variant type, int index, Typed value) {
        return new Typed.Apply(
                type,
                ScalarFunction.of("Variant", a -> new Value.Choice(index, a[0])),
                List.of(value));
    }

    /// `AsVariant(value, "name")`: a variant type with this single choice.
    private static Typed asVariant(FunctionCall call) {
        call.expect(2);
        var members = List.of(new Type.Member(call.text(1), call.type(0)));
        return chosen(new Type.Variant(new Type.Struct(members)), 0, call.value(0));
    }

    /// `Variant(value, "name", type)`.
    private static Typed variant(FunctionCall call) {
        call.expect(3);
        return ofType(call, call.value(0), call.text(1), call.typeArgument(2));
    }

    private static Typed ofType(FunctionCall call, Typed value, String name, Type type) {
        if (!(type instanceof Type.Variant variant)) {
            throw call.error("Expected variant type, but got: " + type.text());
        }
        int index = names(variant).indexOf(name);
        if (index < 0) {
            throw call.error("Member not found: " + name + " in " + variant.text());
        }
        return chosen(variant, index, Conversions.to(call.at(), value, types(variant).get(index)));
    }

    /// `DynamicVariant(value, name or index, type)`: for a variant whose choices all have the same
    /// type; NULL if there is no such choice.
    private static Typed dynamic(FunctionCall call) {
        call.expect(3);
        if (!(call.typeArgument(2) instanceof Type.Variant variant)) {
            throw call.error("Expected variant type, but got: " + call.typeArgument(2).text());
        }
        List<Type> types = types(variant);
        if (types.stream().distinct().count() != 1) {
            throw call.error("All items of the variant should have the same type");
        }
        boolean named = variant.choices() instanceof Type.Struct;
        List<String> names = names(variant);
        Typed which = named ? UnicodeModule.text(call, 1) : Numbers.of(call, 1, Primitive.UINT32);
        return call.apply(
                variant.optional(),
                List.of(Conversions.to(call.at(), call.value(0), types.getFirst()), which),
                a -> {
                    if (a[1].isNull()) {
                        return a[1];
                    }
                    long index = named ? names.indexOf(Texts.of(a[1])) : ((Value.Int) a[1]).value();
                    return index >= 0 && index < types.size()
                            ? new Value.Choice((int) index, a[0])
                            : Value.Null.NULL;
                });
    }

    private static Typed nothing() {
        return new Typed.Constant(Unit.VOID, Value.Null.NULL);
    }

    private static Typed asEnum(FunctionCall call) {
        call.expect(1);
        var members = List.of(new Type.Member(call.text(0), Unit.VOID));
        return chosen(new Type.Variant(new Type.Struct(members)), 0, nothing());
    }

    /// `Enum("name", type)`.
    private static Typed enumOf(FunctionCall call) {
        call.expect(2);
        return ofType(call, nothing(), call.text(0), call.typeArgument(1));
    }

    /// The value of a variant whose choices all have the same type.
    private static Typed item(FunctionCall call) {
        call.expect(1);
        if (call.type(0) == Unit.NULL) {
            return call.value(0);
        }
        Type.Variant variant = variantOf(call);
        List<Type> types = types(variant);
        if (types.stream().distinct().count() != 1) {
            throw call.error("Expected variant with items of one type, but got: " + variant.text());
        }
        return call.strict(
                types.getFirst(), List.of(call.value(0)), a -> ((Value.Choice) a[0]).value());
    }

    /// The current choice: its name, or its number in a variant over a tuple.
    private static Typed way(FunctionCall call) {
        call.expect(1);
        if (call.type(0) == Unit.NULL) {
            return call.value(0);
        }
        Type.Variant variant = variantOf(call);
        boolean named = variant.choices() instanceof Type.Struct;
        List<String> names = names(variant);
        return call.strict(
                named ? Primitive.UTF8 : Primitive.UINT32,
                List.of(call.value(0)),
                a -> {
                    int index = ((Value.Choice) a[0]).index();
                    return named ? Value.text(names.get(index)) : Value.of(index);
                });
    }

    /// `Visit(variant, lambda AS name, …)`; for a variant over a tuple, the lambdas are given in
    /// order without names. With a default value after the variant, that is the result for choices
    /// without a lambda.
    private static Typed visit(FunctionCall call, int from) {
        call.expect(from, Integer.MAX_VALUE);
        if (call.type(0) == Unit.NULL) {
            return call.value(0);
        }
        Type.Variant variant = variantOf(call);
        List<String> names = names(variant);
        List<Type> types = types(variant);
        int[] handlers = new int[names.size()];
        Arrays.fill(handlers, -1);
        List<Typed.Lambda> lambdas = new ArrayList<>();
        for (int index = from; index < call.count(); index++) {
            int place = index;
            String name = call.label(index).orElseGet(() -> Integer.toString(place - from));
            int choice = names.indexOf(name);
            if (choice < 0 || handlers[choice] >= 0) {
                throw call.error(
                        (choice < 0 ? "Member not found: " : "Duplicated member: ") + name);
            }
            handlers[choice] = lambdas.size();
            lambdas.add(call.lambda(index, types.get(choice)));
        }
        List<Typed> arguments = new ArrayList<>(List.of(call.value(0)));
        List<Typed> results = new ArrayList<>();
        lambdas.forEach(lambda -> results.add(lambda.body()));
        if (from == 2) {
            results.add(call.value(1));
        } else {
            for (int choice = 0; choice < handlers.length; choice++) {
                if (handlers[choice] < 0) {
                    throw call.error("Handler not found: " + names.get(choice));
                }
            }
        }
        Type common = Conversions.common(call.at(), results);
        if (from == 2) {
            arguments.add(Conversions.to(call.at(), call.value(1), common));
        }
        List<Typed.Lambda> converted =
                lambdas.stream()
                        .map(
                                lambda ->
                                        new Typed.Lambda(
                                                lambda.level(),
                                                Conversions.to(call.at(), lambda.body(), common)))
                        .toList();
        return new Typed.ApplyLambdas(
                call.type(0).isOptional() ? common.optional() : common,
                LambdaFunction.of(call.name(), (a, l) -> visited(a, l, handlers)),
                arguments,
                converted);
    }

    private static Value visited(
            Value[] arguments, LambdaFunction.Callback[] lambdas, int[] handlers) {
        if (!(arguments[0] instanceof Value.Choice(int index, Value value))) {
            return Value.Null.NULL;
        }
        return handlers[index] < 0 ? arguments[1] : lambdas[handlers[index]].call(value);
    }

    /// `AsTagged(value, "tag")`: the value with a tagged type.
    private static Typed tagged(FunctionCall call) {
        call.expect(2);
        Type type = new Type.Tagged(call.text(1), call.type(0));
        return call.apply(type, List.of(call.value(0)), a -> a[0]);
    }

    private static Typed untag(FunctionCall call) {
        call.expect(2);
        if (!(call.bare(0) instanceof Type.Tagged(String tag, Type base))
                || !tag.equals(call.text(1))) {
            throw call.error(
                    "Expected a value tagged '%s', but got: %s"
                            .formatted(call.text(1), call.type(0).text()));
        }
        return call.strict(base, List.of(call.value(0)), a -> a[0]);
    }

    /// `SetCreate(type)` and `DictCreate(key, payload)`.
    private static Typed emptyDict(FunctionCall call, int count) {
        call.expect(count);
        Type payload = count == 1 ? Unit.VOID : call.typeArgument(1);
        return new Typed.Constant(
                new Type.Dict(call.typeArgument(0), payload), new Value.Pairs(List.of()));
    }
}
