package io.cleave.function.container;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Functions that iterate over the parts of a Struct or Tuple at compile time: StaticMap,
/// StaticZip, StaticFold, and the set operations on Structs.
public final class StaticFunctions {
    private StaticFunctions() {}

    public static void register(Registry registry) {
        registry.add("StaticMap", StaticFunctions::map);
        registry.add("StaticZip", StaticFunctions::zip);
        registry.add("StaticFold", StaticFunctions::fold);
        registry.add("StaticFold1", StaticFunctions::fold1);
        registry.add("StructUnion", c -> combine(c, true, true, true));
        registry.add("StructIntersection", c -> combine(c, false, true, false));
        registry.add("StructDifference", c -> combine(c, true, false, false));
        registry.add("StructSymmetricDifference", c -> combine(c, true, false, true));
    }

    private static List<Typed> parts(FunctionCall call, int index) {
        Typed whole = call.value(index);
        var parts = new ArrayList<Typed>();
        switch (whole.type()) {
            case Type.Tuple(List<Type> items) -> {
                for (int item = 0; item < items.size(); item++) {
                    parts.add(Items.member(call.at(), whole, Integer.toString(item)));
                }
            }
            case Type.Struct _ -> parts.addAll(StructFunctions.parts(call, index).values());
            default ->
                    throw call.error(
                            "Expected either struct or tuple, but got: " + whole.type().text());
        }
        return parts;
    }

    /// A Struct or Tuple of the same shape as the first argument, with other parts.
    private static Typed like(FunctionCall call, List<Typed> parts) {
        if (call.type(0) instanceof Type.Struct struct) {
            List<String> names = struct.members().stream().map(Type.Member::name).toList();
            return Items.struct(call.at(), names, parts);
        }
        return Items.tuple(parts);
    }

    private static Typed map(FunctionCall call) {
        call.expect(2);
        return like(
                call, parts(call, 0).stream().map(part -> call.inlined(1, List.of(part))).toList());
    }

    private static Typed zip(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var rows = new ArrayList<List<Typed>>();
        for (int index = 0; index < call.count(); index++) {
            rows.add(parts(call, index));
            if (rows.getLast().size() != rows.getFirst().size()) {
                throw call.error("StaticZip of parts that are not equally many");
            }
        }
        var zipped = new ArrayList<Typed>();
        for (int part = 0; part < rows.getFirst().size(); part++) {
            int place = part;
            zipped.add(Items.tuple(rows.stream().map(row -> row.get(place)).toList()));
        }
        return like(call, zipped);
    }

    /// `StaticFold(s, state, ($item, $state) -> …)`.
    private static Typed fold(FunctionCall call) {
        call.expect(3);
        Typed state = call.value(1);
        for (Typed part : parts(call, 0)) {
            state = call.inlined(2, List.of(part, state));
        }
        return state;
    }

    /// `StaticFold1(s, ($item) -> state, ($item, $state) -> …)`; NULL if there are no parts.
    private static Typed fold1(FunctionCall call) {
        call.expect(3);
        List<Typed> parts = parts(call, 0);
        if (parts.isEmpty()) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        Typed state = call.inlined(1, List.of(parts.getFirst()));
        for (Typed part : parts.subList(1, parts.size())) {
            state = call.inlined(2, List.of(part, state));
        }
        return state;
    }

    /// The flags select the members that occur only on the left, on both sides, and only on the
    /// right. For a member on both sides the left value is used, unless a lambda `($name, $left,
    /// $right)` is given.
    private static Typed combine(FunctionCall call, boolean left, boolean both, boolean right) {
        call.expect(2, 3);
        Map<String, Typed> first = StructFunctions.parts(call, 0);
        Map<String, Typed> second = StructFunctions.parts(call, 1);
        var result = new LinkedHashMap<String, Typed>();
        first.forEach(
                (name, value) -> {
                    Typed other = second.get(name);
                    if (other == null && left) {
                        result.put(name, value);
                    } else if (other != null && both) {
                        result.put(name, merged(call, name, value, other));
                    }
                });
        second.forEach(
                (name, value) -> {
                    if (right && !first.containsKey(name)) {
                        result.put(name, value);
                    }
                });
        return StructFunctions.built(call, result);
    }

    private static Typed merged(FunctionCall call, String name, Typed left, Typed right) {
        if (call.count() < 3) {
            return left;
        }
        boolean named =
                call.expression(2) instanceof Expression.Lambda lambda
                        && lambda.parameters().size() == 2;
        Typed constant = new Typed.Constant(Type.Primitive.STRING, Value.binary(Bytes.utf8(name)));
        return named
                ? call.inlined(2, List.of(left, right))
                : call.inlined(2, List.of(constant, left, right));
    }
}
