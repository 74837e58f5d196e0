package io.cleave.analysis;

import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The optional arguments of a call from some place on, which are literals and may have their names
/// (`true AS SkipEmpty`); without one an argument has the name that stands at its place.
final class NamedArguments {
    private final FunctionCall call;
    private final Map<String, Integer> indexes = new HashMap<>();

    NamedArguments(FunctionCall call, int from, String... names) {
        this.call = call;
        call.expect(0, from + names.length);
        for (int index = from; index < call.count(); index++) {
            String name = call.label(index).orElse(names[index - from]);
            if (!List.of(names).contains(name)) {
                throw call.error("Unknown argument name: " + name);
            }
            if (indexes.put(name, index) != null) {
                throw call.error("Argument is given twice: " + name);
            }
        }
    }

    boolean flag(String name, boolean otherwise) {
        Integer index = indexes.get(name);
        if (index == null || isNull(index)) {
            return otherwise;
        }
        if (call.value(index) instanceof Typed.Constant(_, Value.Bool(boolean flag))) {
            return flag;
        }
        throw call.error("Expected literal bool for " + name);
    }

    /// A String; `otherwise` if it is not given or NULL.
    Typed string(String name, String otherwise) {
        Integer index = indexes.get(name);
        return index == null ? FunctionCall.string(otherwise) : call.stringOr(index, otherwise);
    }

    /// Not less than 0.
    int number(String name, int otherwise) {
        Integer index = indexes.get(name);
        if (index == null || isNull(index)) {
            return otherwise;
        }
        Numbers.of(call, index, Primitive.UINT32);
        return call.number(index);
    }

    private boolean isNull(int index) {
        return call.value(index) instanceof Typed.Constant(_, Value value) && value.isNull();
    }
}
