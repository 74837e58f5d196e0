package io.cleave.function.container;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.text.StringFunctions;
import io.cleave.typed.Typed;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;

/// AsTuple, AsStruct and similar functions, and LENGTH.
public final class ContainerFunctions {
    private ContainerFunctions() {}

    public static void register(Registry registry) {
        registry.add("AsTuple", c -> Items.tuple(c.all()));
        registry.add("AsStruct", ContainerFunctions::struct);
        registry.add("AsList", c -> Items.list(c.at(), c.all()));
        registry.add("AsDict", ContainerFunctions::dict);
        registry.add("AsSet", c -> Items.set(c.at(), c.all()));
        registry.add("AsListStrict", c -> Items.list(c.at(), same(c)));
        registry.add("AsSetStrict", c -> Items.set(c.at(), same(c)));
        registry.add("AsDictStrict", ContainerFunctions::dict);
        registry.add("LENGTH", ContainerFunctions::length);
        registry.add("LEN", ContainerFunctions::length);
        registry.add("CHAR_LENGTH", ContainerFunctions::length);
        registry.add("CHARACTER_LENGTH", ContainerFunctions::length);
    }

    /// The number of items of a list or dict, or of bytes of a string.
    private static Typed length(FunctionCall call) {
        call.expect(1);
        return call.bare(0) instanceof Type.ListOf || call.bare(0) instanceof Type.Dict
                ? ListFunctions.length(call)
                : StringFunctions.length(call);
    }

    /// The arguments, which must all have the same type without conversion.
    private static List<Typed> same(FunctionCall call) {
        for (Typed argument : call.all()) {
            if (!argument.type().equals(call.type(0))) {
                throw call.error(
                        "All items of %s should have the same type, but got: %s and %s"
                                .formatted(
                                        call.name(), call.type(0).text(), argument.type().text()));
            }
        }
        return call.all();
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
}
