package io.cleave.exec;

import io.cleave.plan.Node;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Each row once, in the order of its first coming. For INTERSECT and EXCEPT, only rows that the
/// right side has, or has not.
final class DistinctRows implements Rows {
    private static final int ENTRY_BYTES = 64;

    private final Rows rows;
    private final Type[] types;
    private final QueryMemory memory;
    private final @Nullable Set<RowKey> right;
    private final boolean keepMatches;
    private final Set<RowKey> seen = new HashSet<>();

    private DistinctRows(
            Rows rows,
            Type[] types,
            QueryMemory memory,
            @Nullable Set<RowKey> right,
            boolean keepMatches) {
        this.rows = rows;
        this.types = types;
        this.memory = memory;
        this.right = right;
        this.keepMatches = keepMatches;
    }

    static Operator of(Operator input, List<Type> types) {
        Type[] array = RowKey.array(types);
        return run -> new DistinctRows(input.open(run), array, run.memory(), null, true);
    }

    static Operator compared(Node.Compared node) {
        Operator left = Operators.of(node.left());
        Operator right = Operators.of(node.right());
        Type[] types = RowKey.array(node.types());
        return run ->
                new DistinctRows(
                        left.open(run),
                        types,
                        run.memory(),
                        keys(right, types, run),
                        node.keepMatches());
    }

    private static Set<RowKey> keys(Operator operator, Type[] types, Running run) {
        Set<RowKey> keys = new HashSet<>();
        try (Rows rows = operator.open(run)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                RowKey key = RowKey.ofGroup(types, row);
                if (keys.add(key)) {
                    run.memory().keep(key.values(), ENTRY_BYTES);
                }
            }
        }
        return keys;
    }

    @Override
    public Value @Nullable [] next() {
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            RowKey key = RowKey.ofGroup(types, row);
            boolean wanted = right == null || right.contains(key) == keepMatches;
            if (wanted && seen.add(key)) {
                memory.keep(key.values(), ENTRY_BYTES);
                return row;
            }
        }
        return null;
    }

    @Override
    public void close() {
        rows.close();
    }
}
