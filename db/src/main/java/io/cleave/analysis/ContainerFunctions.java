package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// AsTuple, AsStruct and their like, and the functions on Structs and types.
final class ContainerFunctions {
    private ContainerFunctions() {}

    static void register(Functions.Registry registry) {
        registry.add("AsTuple", c -> Items.tuple(c.all()));
        registry.add("AsStruct", ContainerFunctions::struct);
        registry.add("AsList", c -> Items.list(c.at(), c.all()));
        registry.add("AsDict", ContainerFunctions::dict);
        registry.add("AsSet", c -> Items.set(c.at(), c.all()));
        registry.add("AsDictStrict", ContainerFunctions::dict);
        registry.add("TryMember", ContainerFunctions::tryMember);
        registry.add("AddMember", ContainerFunctions::addMember);
        registry.add("RemoveMember", ContainerFunctions::removeMember);
        registry.add("ExpandStruct", ContainerFunctions::expand);
        registry.add("CombineMembers", ContainerFunctions::combine);
        registry.add("FormatType", ContainerFunctions::formatType);
    }

    /// `AsStruct(1 AS a, 2 AS b)`.
    private static Typed struct(FunctionCall call) {
        return Items.struct(call.at(), labels(call, 0), call.all());
    }

    private static List<String> labels(FunctionCall call, int from) {
        var labels = new ArrayList<String>();
        for (int index = from; index < call.count(); index++) {
            labels.add(
                    call.label(index)
                            .orElseThrow(
                                    () ->
                                            call.error(
                                                    call.name()
                                                            + " requires all argument to be"
                                                            + " named")));
        }
        return labels;
    }

    /// `AsDict(AsTuple(key, payload), …)`.
    private static Typed dict(FunctionCall call) {
        var keys = new ArrayList<Typed>();
        var payloads = new ArrayList<Typed>();
        for (Typed pair : call.all()) {
            if (!(pair.type() instanceof Type.Tuple(List<Type> items)) || items.size() != 2) {
                throw call.error("Expected tuple of 2 items, but got: " + pair.type().text());
            }
            keys.add(Items.member(call.at(), pair, "0"));
            payloads.add(Items.member(call.at(), pair, "1"));
        }
        return Items.dict(call.at(), keys, payloads);
    }

    private static Type.Struct structType(FunctionCall call, int index) {
        if (call.type(index) instanceof Type.Struct struct) {
            return struct;
        }
        throw call.error("Expected struct type, but got: " + call.type(index).text());
    }

    private static Typed tryMember(FunctionCall call) {
        call.expect(3);
        return structType(call, 0).indexOf(call.text(1)) < 0
                ? call.value(2)
                : Items.member(call.at(), call.value(0), call.text(1));
    }

    private static Typed addMember(FunctionCall call) {
        call.expect(3);
        return rebuilt(call, List.of(), List.of(call.text(1)), List.of(call.value(2)));
    }

    private static Typed removeMember(FunctionCall call) {
        call.expect(2);
        if (structType(call, 0).indexOf(call.text(1)) < 0) {
            throw call.error("Member not found: " + call.text(1));
        }
        return rebuilt(call, List.of(call.text(1)), List.of(), List.of());
    }

    /// `ExpandStruct(s, 1 AS a)`.
    private static Typed expand(FunctionCall call) {
        call.expect(2, Integer.MAX_VALUE);
        return rebuilt(call, List.of(), labels(call, 1), call.all().subList(1, call.count()));
    }

    private static Typed rebuilt(
            FunctionCall call, List<String> without, List<String> names, List<Typed> values) {
        var allNames = new ArrayList<String>();
        var allValues = new ArrayList<Typed>();
        for (Type.Member member : structType(call, 0).members()) {
            if (!without.contains(member.name())) {
                allNames.add(member.name());
                allValues.add(Items.member(call.at(), call.value(0), member.name()));
            }
        }
        allNames.addAll(names);
        allValues.addAll(values);
        return Items.struct(call.at(), allNames, allValues);
    }

    private static Typed combine(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var names = new ArrayList<String>();
        var values = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            for (Type.Member member : structType(call, index).members()) {
                names.add(member.name());
                values.add(Items.member(call.at(), call.value(index), member.name()));
            }
        }
        return Items.struct(call.at(), names, values);
    }

    /// `FormatType(TypeOf(x))`: a type is no value here, so the two go together.
    private static Typed formatType(FunctionCall call) {
        call.expect(1);
        return new Typed.Constant(
                Primitive.STRING, Value.binary(Bytes.utf8(call.typeOfArgument(0).text())));
    }
}
