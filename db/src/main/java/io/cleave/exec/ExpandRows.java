package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// Rows for grouping sets: each input row is returned once for every set that has keys.
final class ExpandRows implements Rows {
    private final Rows rows;
    private final Evaluation[] keys;
    private final List<Set<Integer>> sets;
    private final Running run;
    private final Value[] expanded;
    private Value[] keyValues = {};
    private int nextSet;

    private ExpandRows(Rows rows, Evaluation[] keys, PlanNode.Expand node, Running run) {
        this.rows = rows;
        this.keys = keys;
        this.sets = node.sets();
        this.run = run;
        this.expanded = new Value[node.width()];
        this.nextSet = sets.size();
    }

    static Operator of(PlanNode.Expand node) {
        Operator input = Operators.of(node.input());
        Evaluation[] keys = Operators.compile(node.keys());
        return run -> new ExpandRows(input.open(run), keys, node, run);
    }

    @Override
    public Value @Nullable [] next() {
        run.checkpoint().pass();
        while (true) {
            if (nextSet == sets.size()) {
                Value[] row = rows.next();
                if (row == null) {
                    return null;
                }
                keyValues = Operators.evaluate(keys, row, run.context());
                System.arraycopy(row, 0, expanded, keys.length + 1, row.length);
                nextSet = 0;
            }
            int number = nextSet++;
            Set<Integer> set = sets.get(number);
            if (set.isEmpty()) {
                continue;
            }
            for (int index = 0; index < keys.length; index++) {
                expanded[index] = set.contains(index) ? keyValues[index] : Value.Null.NULL;
            }
            expanded[keys.length] = Value.of(number);
            return expanded;
        }
    }

    @Override
    public void close() {
        rows.close();
    }
}
