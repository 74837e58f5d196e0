package io.cleave.exec;

import io.cleave.analysis.Typed;
import io.cleave.plan.Node;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;

/// The first row of each key: a side of a join with ANY. A key with NULL matches nothing, so such
/// rows all pass.
final class FirstOfKeyRows implements Rows {
    private static final int ENTRY_BYTES = 64;

    private final Rows rows;
    private final Evaluation[] keys;
    private final Type[] types;
    private final Running run;
    private final QueryMemory.Share memory;
    private final Set<RowKey> seen = new HashSet<>();

    private FirstOfKeyRows(Rows rows, Evaluation[] keys, Type[] types, Running run) {
        this.rows = rows;
        this.keys = keys;
        this.types = types;
        this.run = run;
        memory = new QueryMemory.Share(run.memory());
    }

    static Operator of(Node.FirstOfKey node) {
        Operator input = Operators.of(node.input());
        Evaluation[] keys = Operators.compile(node.keys());
        Type[] types = RowKey.array(node.keys().stream().map(Typed::type).toList());
        return run -> new FirstOfKeyRows(input.open(run), keys, types, run);
    }

    @Override
    public Value @Nullable [] next() {
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            run.checkpoint().pass();
            Value[] values = Operators.evaluate(keys, row, run.context());
            if (RowKey.hasNull(values)) {
                return row;
            }
            RowKey key = RowKey.ofGroup(types, values);
            if (seen.add(key)) {
                memory.require(ENTRY_BYTES + QueryMemory.bytes(key.values()));
                return row;
            }
        }
        return null;
    }

    @Override
    public void close() {
        rows.close();
        memory.close();
    }
}
