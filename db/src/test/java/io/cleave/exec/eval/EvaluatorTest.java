package io.cleave.exec.eval;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// When constants are worked out.
class EvaluatorTest {
    private static final Value[] NO_ROW = {};

    /// How often the function was called.
    private int calls;

    @Test
    void aSmallConstantIsWorkedOutOnceForAllRuns() {
        Evaluation lists = Evaluator.compile(list(10));
        assertThat(calls).isEqualTo(1);
        rows(lists, 3);
        rows(lists, 3);
        assertThat(calls).isEqualTo(1);
    }

    /// A plan stays in memory for as long as it is asked for.
    @Test
    void aLargeConstantIsNotKeptWithItsPlanButWorkedOutOnceInARun() {
        Evaluation lists = Evaluator.compile(list(100_000));
        int before = calls;
        rows(lists, 3);
        rows(lists, 3);
        assertThat(calls - before).isEqualTo(2);
    }

    @Test
    void whatIsMadeOfALargeConstantIsWorkedOutOnceInARunToo() {
        var size =
                ScalarFunction.strict("size", a -> Value.of(((Value.Items) a[0]).items().size()));
        Evaluation sizes =
                Evaluator.compile(new Typed.Apply(Primitive.INT64, size, List.of(list(100_000))));
        int before = calls;
        assertThat(rows(sizes, 3)).isEqualTo(Value.of(100_000));
        assertThat(calls - before).isEqualTo(1);
    }

    @Test
    void whatTakesLongIsLeftToTheRun() {
        var steps =
                ScalarFunction.strictLong(
                        "steps",
                        (_, run) -> {
                            for (int step = 0; step < 100_000; step++) {
                                calls++;
                                run.pass(1);
                            }
                            return Value.of(1);
                        });
        Evaluation one = Evaluator.compile(new Typed.Apply(Primitive.INT64, steps, List.of()));
        assertThat(calls).isLessThan(20_000);
        assertThat(rows(one, 2)).isEqualTo(Value.of(1));
    }

    /// A call without arguments: so many zeroes.
    private Typed list(int count) {
        var zeroes =
                ScalarFunction.strict(
                        "zeroes",
                        _ -> {
                            calls++;
                            return Value.items(Collections.nCopies(count, Value.of(0)));
                        });
        return new Typed.Apply(new Type.ListOf(Primitive.INT64), zeroes, List.of());
    }

    /// The value in the last of so many rows of a run.
    private static Value rows(Evaluation evaluation, int count) {
        var run = new RunContext(Map.of(), () -> 0, new SplittableRandom(1));
        Value last = Value.Null.NULL;
        for (int row = 0; row < count; row++) {
            last = evaluation.eval(NO_ROW, run);
        }
        return last;
    }
}
