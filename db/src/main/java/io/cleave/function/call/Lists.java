package io.cleave.function.call;

import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;

/// Helpers for list arguments and for the items of list values.
public final class Lists {
    private Lists() {}

    /// The list argument at this index. The literal `[]` becomes an empty list whose item type is
    /// Null.
    public static Typed argument(FunctionCall call, int index) {
        Typed value = call.value(index);
        if (value.type() == Type.Unit.EMPTY_LIST) {
            return new Typed.Constant(new Type.ListOf(Type.Unit.NULL), Value.items(List.of()));
        }
        if (!(value.type().unwrapped() instanceof Type.ListOf)) {
            throw call.error("Expected list type, but got: " + value.type().text());
        }
        return value;
    }

    /// The item type of the first argument, which must be a list.
    public static Type item(FunctionCall call) {
        return ((Type.ListOf) argument(call, 0).type().unwrapped()).item();
    }

    /// The items of a List, Tuple or Struct.
    public static List<Value> items(Value list) {
        return ((Value.Items) list).items();
    }
}
