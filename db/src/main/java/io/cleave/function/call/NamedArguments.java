package io.cleave.function.call;

import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The optional arguments of a call from a given index on. They are literals and may be named
/// (`true AS SkipEmpty`). An argument without a name is assigned by position.
public final class NamedArguments {
    private final FunctionCall call;
    private final Map<String, Integer> indexes = new HashMap<>();

    public NamedArguments(FunctionCall call, int from, String... names) {
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

    public boolean flag(String name, boolean otherwise) {
        Integer index = indexes.get(name);
        if (index == null || isNull(index)) {
            return otherwise;
        }
        if (call.value(index) instanceof Typed.Constant(_, Value.Bool(boolean flag))) {
            return flag;
        }
        throw call.error("Expected literal bool for " + name);
    }

    /// A String argument; `otherwise` if it is missing or NULL.
    public Typed string(String name, String otherwise) {
        Integer index = indexes.get(name);
        return index == null
                ? StringArguments.constant(otherwise)
                : StringArguments.orElse(call, index, otherwise);
    }

    /// An integer argument that is not negative; `otherwise` if it is missing or NULL.
    public int number(String name, int otherwise) {
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
