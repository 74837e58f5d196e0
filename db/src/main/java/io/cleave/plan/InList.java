package io.cleave.plan;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.BiConsumer;

/// The items of the collection on the right side of IN.
final class InList {
    private InList() {}

    /// Calls `item` for each item of a List, Tuple or Struct, or each key of a Dict, with its type.
    static void forEach(Type type, Value collection, BiConsumer<Type, Value> item) {
        Type bare = type.unwrapped();
        switch (collection) {
            case Value.Items(List<Value> items) -> {
                for (int index = 0; index < items.size(); index++) {
                    Type itemType =
                            switch (bare) {
                                case Type.ListOf(Type of) -> of;
                                case Type.Tuple(List<Type> types) -> types.get(index);
                                case Type.Struct struct -> struct.members().get(index).type();
                                default -> bare;
                            };
                    item.accept(itemType, items.get(index));
                }
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                if (bare instanceof Type.Dict(Type key, _)) {
                    pairs.forEach(pair -> item.accept(key, pair.key()));
                }
            }
            default -> {}
        }
    }
}
