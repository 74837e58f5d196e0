package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;
import java.util.List;

/// The compiled inputs of a join: the rows of both sides, and the expressions of their keys.
final class JoinSides {
    final Operator left;
    final Operator right;
    final int leftWidth;
    final int rightWidth;
    final Type[] leftTypes;
    final Type[] rightTypes;
    private final Evaluation[] leftKeys;
    private final Evaluation[] rightKeys;

    JoinSides(PlanNode left, PlanNode right, List<Typed> leftKeys, List<Typed> rightKeys) {
        this.left = Operators.of(left);
        this.right = Operators.of(right);
        leftWidth = left.width();
        rightWidth = right.width();
        leftTypes = types(leftKeys);
        rightTypes = types(rightKeys);
        this.leftKeys = Operators.compile(leftKeys);
        this.rightKeys = Operators.compile(rightKeys);
    }

    private JoinSides(JoinSides of) {
        left = Operators.withValues(of.left, of.leftKeys);
        right = Operators.withValues(of.right, of.rightKeys);
        leftWidth = of.leftWidth + of.leftKeys.length;
        rightWidth = of.rightWidth + of.rightKeys.length;
        leftTypes = of.leftTypes;
        rightTypes = of.rightTypes;
        leftKeys = columns(of.leftWidth, of.leftKeys.length);
        rightKeys = columns(of.rightWidth, of.rightKeys.length);
    }

    private static Evaluation[] columns(int from, int count) {
        var columns = new Evaluation[count];
        Arrays.setAll(columns, index -> (row, _) -> row[from + index]);
        return columns;
    }

    /// These sides with the key values appended to each row, so that keys are evaluated once for
    /// each row.
    JoinSides withKeys() {
        return new JoinSides(this);
    }

    private static Type[] types(List<Typed> keys) {
        return keys.stream().map(Typed::type).toArray(Type[]::new);
    }

    Value[] leftKey(Value[] row, Running run) {
        return Operators.evaluate(leftKeys, row, run.context());
    }

    Value[] rightKey(Value[] row, Running run) {
        return Operators.evaluate(rightKeys, row, run.context());
    }

    /// An array for a left row followed by a right row.
    Value[] newRow() {
        return new Value[leftWidth + rightWidth];
    }
}
