package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/// Skips `toSkip` rows, then returns `toPass` rows and reads no more.
final class LimitRows implements Rows {
    private final Rows rows;
    private long toSkip;
    private long toPass;

    private LimitRows(Rows rows, long toSkip, long toPass) {
        this.rows = rows;
        this.toSkip = toSkip;
        this.toPass = toPass;
    }

    static Operator of(PlanNode.Limit node) {
        Operator input = Operators.of(node.input());
        Optional<Evaluation> count = node.count().map(Evaluator::compile);
        Optional<Evaluation> offset = node.offset().map(Evaluator::compile);
        return run -> {
            // Evaluate what may fail before anything is open.
            long toSkip = Operators.rowCount(offset, run.context(), 0);
            long toPass = Operators.rowCount(count, run.context(), Long.MAX_VALUE);
            return new LimitRows(input.open(run), toSkip, toPass);
        };
    }

    static Rows of(Rows rows, long toSkip, long toPass) {
        return new LimitRows(rows, toSkip, toPass);
    }

    @Override
    public Value @Nullable [] next() {
        if (toPass == 0) {
            return null;
        }
        while (toSkip > 0) {
            if (rows.next() == null) {
                toPass = 0;
                return null;
            }
            toSkip--;
        }
        toPass--;
        return rows.next();
    }

    @Override
    public void close() {
        rows.close();
    }
}
