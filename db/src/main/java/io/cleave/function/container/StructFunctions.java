package io.cleave.function.container;

import io.cleave.base.Bytes;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The functions on Structs. The members of a struct are known at compile time, so most functions
/// only build another struct from the same parts.
public final class StructFunctions {
    private StructFunctions() {}

    public static void register(Registry registry) {
        registry.add("TryMember", StructFunctions::tryMember);
        registry.add("AddMember", StructFunctions::addMember);
        registry.add("RemoveMember", c -> remove(c, List.of(c.text(1)), true));
        registry.add("ForceRemoveMember", c -> remove(c, List.of(c.text(1)), false));
        registry.add("RemoveMembers", c -> remove(c, names(c, 1), true));
        registry.add("ForceRemoveMembers", c -> remove(c, names(c, 1), false));
        registry.add("ReplaceMember", StructFunctions::replaceMember);
        registry.add("ExpandStruct", StructFunctions::expand);
        registry.add("CombineMembers", StructFunctions::combine);
        registry.add("FlattenMembers", StructFunctions::flatten);
        registry.add("ChooseMembers", StructFunctions::choose);
        registry.add("StructMembers", StructFunctions::members);
        registry.add("RenameMembers", c -> rename(c, true));
        registry.add("ForceRenameMembers", c -> rename(c, false));
        registry.add("GatherMembers", StructFunctions::gather);
        registry.add("SpreadMembers", c -> spread(c, true));
        registry.add("ForceSpreadMembers", c -> spread(c, false));
    }

    static Type.Struct type(FunctionCall call, int index) {
        if (call.type(index) instanceof Type.Struct struct) {
            return struct;
        }
        throw call.error("Expected struct type, but got: " + call.type(index).text());
    }

    /// The members by name, in order.
    static Map<String, Typed> parts(FunctionCall call, int index) {
        var parts = new LinkedHashMap<String, Typed>();
        for (Type.Member member : type(call, index).members()) {
            parts.put(member.name(), Items.member(call.at(), call.value(index), member.name()));
        }
        return parts;
    }

    static Typed built(FunctionCall call, Map<String, Typed> parts) {
        return Items.struct(call.at(), List.copyOf(parts.keySet()), List.copyOf(parts.values()));
    }

    /// A literal list of names.
    static List<String> names(FunctionCall call, int index) {
        if (call.value(index).type() == Type.Unit.EMPTY_LIST) {
            return List.of();
        }
        if (call.value(index) instanceof Typed.ItemsOf(Type.ListOf _, List<Typed> items)) {
            var names = new ArrayList<String>();
            for (Typed item : items) {
                name(item).ifPresent(names::add);
            }
            if (names.size() == items.size()) {
                return names;
            }
        }
        throw call.error(
                "Expected list of literal names as argument %d of %s"
                        .formatted(index + 1, call.name()));
    }

    /// The literal name, if the expression is one.
    private static Optional<String> name(Typed written) {
        return written instanceof Typed.Constant(_, Value value)
                        && (value instanceof Value.Binary || value instanceof Value.Text)
                ? Optional.of(Texts.of(value))
                : Optional.empty();
    }

    private static void put(FunctionCall call, Map<String, Typed> parts, String name, Typed value) {
        if (parts.put(name, value) != null) {
            throw call.error("Duplicated member: " + name);
        }
    }

    private static Typed tryMember(FunctionCall call) {
        call.expect(3);
        int index = type(call, 0).indexOf(call.text(1));
        if (index < 0) {
            return call.value(2);
        }
        Typed member = Items.member(call.at(), call.value(0), call.text(1));
        return call.type(2) == Type.Unit.NULL || member.type().equals(call.type(2))
                ? member
                : Conversions.implicit(member, call.type(2)).orElse(member);
    }

    private static Typed addMember(FunctionCall call) {
        call.expect(3);
        Map<String, Typed> parts = parts(call, 0);
        put(call, parts, call.text(1), call.value(2));
        return built(call, parts);
    }

    private static Typed replaceMember(FunctionCall call) {
        call.expect(3);
        Map<String, Typed> parts = parts(call, 0);
        if (parts.replace(call.text(1), call.value(2)) == null) {
            throw call.error("Member not found: " + call.text(1));
        }
        return built(call, parts);
    }

    private static Typed remove(FunctionCall call, List<String> names, boolean strict) {
        call.expect(2);
        Map<String, Typed> parts = parts(call, 0);
        for (String name : names) {
            if (parts.remove(name) == null && strict) {
                throw call.error("Member not found: " + name);
            }
        }
        return built(call, parts);
    }

    /// `ExpandStruct(s, 1 AS a)`.
    private static Typed expand(FunctionCall call) {
        call.expect(2, Integer.MAX_VALUE);
        Map<String, Typed> parts = parts(call, 0);
        for (int index = 1; index < call.count(); index++) {
            String name =
                    call.label(index)
                            .orElseThrow(
                                    () ->
                                            call.error(
                                                    call.name()
                                                            + " requires all argument to be"
                                                            + " named"));
            put(call, parts, name, call.value(index));
        }
        return built(call, parts);
    }

    private static Typed combine(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var parts = new LinkedHashMap<String, Typed>();
        for (int index = 0; index < call.count(); index++) {
            parts(call, index).forEach((name, value) -> put(call, parts, name, value));
        }
        return built(call, parts);
    }

    /// `FlattenMembers(("a_", s), ("b_", t))`: one struct with the members of all, their names
    /// prefixed.
    private static Typed flatten(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var parts = new LinkedHashMap<String, Typed>();
        for (Typed pair : call.all()) {
            if (!(pair instanceof Typed.ItemsOf(Type.Tuple _, List<Typed> items))
                    || items.size() != 2
                    || name(items.getFirst()).isEmpty()
                    || !(items.get(1).type() instanceof Type.Struct struct)) {
                throw call.error(
                        "Expected tuples of a literal prefix and a struct, but got: "
                                + pair.type().text());
            }
            for (Type.Member member : struct.members()) {
                put(
                        call,
                        parts,
                        name(items.getFirst()).orElseThrow() + member.name(),
                        Items.member(call.at(), items.get(1), member.name()));
            }
        }
        return built(call, parts);
    }

    private static Typed choose(FunctionCall call) {
        call.expect(2);
        Map<String, Typed> parts = parts(call, 0);
        var chosen = new LinkedHashMap<String, Typed>();
        for (String name : names(call, 1)) {
            Typed part = parts.get(name);
            if (part == null) {
                throw call.error("Member not found: " + name);
            }
            put(call, chosen, name, part);
        }
        return built(call, chosen);
    }

    private static Typed members(FunctionCall call) {
        call.expect(1);
        List<Value> names =
                type(call, 0).members().stream()
                        .map(member -> Value.binary(Bytes.utf8(member.name())))
                        .toList();
        return new Typed.Constant(new Type.ListOf(Primitive.STRING), Value.items(names));
    }

    /// `RenameMembers(s, [("old", "new")])`; a member that is renamed twice occurs twice.
    private static Typed rename(FunctionCall call, boolean strict) {
        call.expect(2);
        var renamed = new LinkedHashMap<String, List<String>>();
        if (call.value(1) instanceof Typed.ItemsOf(_, List<Typed> pairs)) {
            for (Typed pair : pairs) {
                if (!(pair instanceof Typed.ItemsOf(_, List<Typed> both))
                        || both.size() != 2
                        || both.stream().anyMatch(item -> name(item).isEmpty())) {
                    throw call.error("Expected pairs of literal names in " + call.name());
                }
                renamed.computeIfAbsent(name(both.getFirst()).orElseThrow(), _ -> new ArrayList<>())
                        .add(name(both.getLast()).orElseThrow());
            }
        } else if (call.type(1) != Type.Unit.EMPTY_LIST) {
            throw call.error("Expected list of pairs of literal names in " + call.name());
        }
        var parts = new LinkedHashMap<String, Typed>();
        parts(call, 0)
                .forEach(
                        (name, value) ->
                                renamed.getOrDefault(name, List.of(name))
                                        .forEach(to -> put(call, parts, to, value)));
        for (String name : renamed.keySet()) {
            if (strict && type(call, 0).indexOf(name) < 0) {
                throw call.error("Member not found: " + name);
            }
        }
        return built(call, parts);
    }

    /// A list of pairs: the name of each member, and its value as a variant.
    private static Typed gather(FunctionCall call) {
        call.expect(1);
        Type.Struct struct = type(call, 0);
        Type variant = new Type.Variant(struct);
        Type pair = new Type.Tuple(List.of(Primitive.STRING, variant));
        return call.apply(
                new Type.ListOf(pair),
                List.of(call.value(0)),
                a -> {
                    List<Value> values = Lists.items(a[0]);
                    var pairs = new ArrayList<Value>();
                    for (int index = 0; index < values.size(); index++) {
                        pairs.add(
                                Value.items(
                                        List.of(
                                                Value.binary(
                                                        Bytes.utf8(
                                                                struct.members()
                                                                        .get(index)
                                                                        .name())),
                                                new Value.Choice(index, values.get(index)))));
                    }
                    return Value.items(pairs);
                });
    }

    /// `SpreadMembers([("a", 1), ("b", 2)], ["a", "b"])`: a struct with the named members from the
    /// list; missing members are NULL. With `strict` the list must not have other members.
    private static Typed spread(FunctionCall call, boolean strict) {
        call.expect(2);
        List<String> names = names(call, 1);
        if (!(Lists.item(call) instanceof Type.Tuple(List<Type> types))
                || types.size() != 2
                || !Texts.isString(types.get(0))) {
            throw call.error("Expected list of pairs, but got: " + call.type(0).text());
        }
        Type member = types.get(1).optional();
        var at = call.at();
        return call.strict(
                new Type.Struct(names.stream().map(n -> new Type.Member(n, member)).toList()),
                List.of(Lists.argument(call, 0)),
                a -> {
                    var values = new LinkedHashMap<String, Value>();
                    names.forEach(name -> values.put(name, Value.Null.NULL));
                    for (Value pair : Lists.items(a[0])) {
                        List<Value> both = Lists.items(pair);
                        String name = Texts.of(both.get(0));
                        if (values.replace(name, both.get(1)) == null && strict) {
                            throw Errors.failure(at, "Unexpected member: " + name);
                        }
                    }
                    return Value.items(List.copyOf(values.values()));
                });
    }
}
