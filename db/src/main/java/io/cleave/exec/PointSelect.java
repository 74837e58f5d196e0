package io.cleave.exec;

import io.cleave.analysis.Typed;
import io.cleave.plan.DataSteps;
import io.cleave.plan.KeyPredicate;
import io.cleave.plan.Node;
import io.cleave.plan.Program;
import io.cleave.schema.Column;
import io.cleave.txn.ReadColumns;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A program that is nothing but the read of one row by its whole key, and gives the row as it is
/// stored: `SELECT v FROM t WHERE k = $k`. Who knows the row's key needs no run of operators for
/// it.
///
/// @param key the values of the key columns, each a parameter or a constant; every parameter of the
///   program is one of them
/// @param result which result of the program it is
public record PointSelect(List<Typed> key, List<Type> keyTypes, ReadColumns columns, int result) {
    public PointSelect {
        key = List.copyOf(key);
        keyTypes = List.copyOf(keyTypes);
    }

    /// Empty if the program is anything else.
    public static Optional<PointSelect> of(Program program) {
        return program.kind() == Program.Kind.POINT_READ
                        && program.asyncIndexTable().isEmpty()
                        && program.steps().getFirst()
                                instanceof
                                DataSteps.Select(_, Node.Read read, OptionalInt result, _)
                        && result.isPresent()
                ? of(read, result.getAsInt()).filter(point -> point.hasAll(program))
                : Optional.empty();
    }

    private static Optional<PointSelect> of(Node.Read read, int result) {
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

    /// Whether there is no parameter beside the key's: each has to be looked at.
    private boolean hasAll(Program program) {
        Set<String> names = new HashSet<>();
        for (Typed value : key) {
            if (value instanceof Typed.Parameter(_, String name)) {
                names.add(name);
            }
        }
        return names.equals(program.parameters().keySet());
    }

    /// The value of each key column of a point read, or null when one is said twice, has to be
    /// converted, or may be a nan, which no key is equal to.
    static Typed @Nullable [] key(Node.Read read) {
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
