package io.cleave.exec;

import io.cleave.plan.DataSteps;
import io.cleave.plan.KeyPredicate;
import io.cleave.plan.PlanNode;
import io.cleave.plan.Program;
import io.cleave.schema.Column;
import io.cleave.txn.ReadColumns;
import io.cleave.typed.Typed;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A program that only reads one row by its whole key and returns the stored values, such as
/// `SELECT v FROM t WHERE k = $k`. It can be answered without running operators.
///
/// @param key the values of the key columns, each a parameter or a constant; every parameter of the
///   program is one of them
/// @param result the index of the result among the program's results
public record PointSelect(List<Typed> key, List<Type> keyTypes, ReadColumns columns, int result) {
    public PointSelect {
        key = List.copyOf(key);
        keyTypes = List.copyOf(keyTypes);
    }

    /// Empty if the program is not of this form.
    public static Optional<PointSelect> of(Program program) {
        return program.kind() == Program.Kind.POINT_READ
                        && program.asyncIndexTable().isEmpty()
                        && program.steps().getFirst()
                                instanceof
                                DataSteps.Select(_, PlanNode.Read read, OptionalInt result, _)
                        && result.isPresent()
                ? of(read, result.getAsInt()).filter(point -> point.hasAll(program))
                : Optional.empty();
    }

    private static Optional<PointSelect> of(PlanNode.Read read, int result) {
        Typed @Nullable [] key = key(read);
        if (key == null) {
            return Optional.empty();
        }
        for (Typed value : key) {
            if (!(value instanceof Typed.Parameter || value instanceof Typed.Constant)) {
                return Optional.empty();
            }
        }
        List<Type> types = read.table().key().stream().map(Column::type).toList();
        ReadColumns columns = ReadColumns.of(read.table(), read.columns());
        return Optional.of(new PointSelect(List.of(key), types, columns, result));
    }

    /// Whether all parameters of the program are in the key. Other parameters would have to be
    /// checked, too.
    private boolean hasAll(Program program) {
        Set<String> names = new HashSet<>();
        for (Typed value : key) {
            if (value instanceof Typed.Parameter(_, String name)) {
                names.add(name);
            }
        }
        return names.equals(program.parameters().keySet());
    }

    /// The value of each key column of a point read. Null if a column is compared twice, or if a
    /// value needs a conversion or may be nan, which is equal to no key.
    static Typed @Nullable [] key(PlanNode.Read read) {
        List<KeyPredicate> terms =
                read.keys() instanceof KeyPredicate.And(List<KeyPredicate> all)
                        ? all
                        : List.of(read.keys());
        var key = new Typed[read.table().keyColumns().size()];
        if (terms.size() != key.length) {
            return null;
        }
        for (KeyPredicate term : terms) {
            if (!(term instanceof KeyPredicate.Compare(int column, _, Typed value))
                    || key[column] != null
                    || value.type().unwrapped() instanceof Type.Decimal
                    || !read.table().key().get(column).type().equals(value.type().unwrapped())) {
                return null;
            }
            key[column] = value;
        }
        return key;
    }
}
