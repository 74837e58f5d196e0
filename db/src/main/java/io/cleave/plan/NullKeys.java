package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Joins in which NULL equals NULL, by operators for which it equals nothing.
final class NullKeys {
    private NullKeys() {}

    /// The join with keys that have no NULL where both sides may have it: whether the key is NULL,
    /// and the key or any other value.
    static Relation.Join hashed(Relation.Join join) {
        if (!join.nullsMatch()) {
            return join;
        }
        List<Typed> left = new ArrayList<>();
        List<Typed> right = new ArrayList<>();
        for (int index = 0; index < join.leftKeys().size(); index++) {
            Typed leftKey = join.leftKeys().get(index);
            Typed rightKey = join.rightKeys().get(index);
            if (leftKey.type().isOptional() && rightKey.type().isOptional()) {
                left.addAll(withoutNull(leftKey));
                right.addAll(withoutNull(rightKey));
            } else {
                left.add(leftKey);
                right.add(rightKey);
            }
        }
        return new Relation.Join(join.kind(), join.left(), join.right(), left, right);
    }

    private static List<Typed> withoutNull(Typed key) {
        Type type = key.type().unwrapped();
        Typed some = new Typed.Constant(type, some(type));
        return List.of(
                new Typed.IsNull(Primitive.BOOL, key),
                new Typed.Coalesce(type, List.of(key, some)));
    }

    /// A value that is equal to those of comparable types.
    private static Value some(Type type) {
        if (!(type instanceof Primitive primitive)) {
            throw new IllegalArgumentException("not the type of a key: " + type);
        }
        return switch (primitive.carrier()) {
            case BOOL -> Value.bool(false);
            case INT32, UINT32, INT64, UINT64 -> Value.of(0);
            case FLOAT, DOUBLE -> Value.of(0.0);
            case BYTES -> Value.binary(Bytes.EMPTY);
            case TEXT -> Value.text("");
            case INT128 -> new Value.Int128(0, 0);
        };
    }

    /// Whether an equality is true or both its sides are NULL.
    static Typed equalOrBothNull(Typed equal, Typed left, Typed right) {
        Typed both =
                new Typed.And(
                        Primitive.BOOL,
                        List.of(
                                new Typed.IsNull(Primitive.BOOL, left),
                                new Typed.IsNull(Primitive.BOOL, right)));
        return new Typed.Coalesce(Primitive.BOOL, List.of(equal, both));
    }
}
