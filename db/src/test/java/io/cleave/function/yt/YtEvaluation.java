package io.cleave.function.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.exec.kernel.KernelRun;
import io.cleave.exec.kernel.Kernels;
import io.cleave.txn.ColumnBatch;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Evaluates expressions in tests, by row and by column.
final class YtEvaluation {
    private YtEvaluation() {}

    static RunContext run() {
        return new RunContext(Map.of(), () -> 0, new SplittableRandom(1));
    }

    static Value constant(Typed expression) {
        return Evaluator.compile(expression).eval(new Value[0], run());
    }

    /// The value by row. The value by column must be the same.
    static Value value(Typed expression, List<Type> columnTypes, Value[] row) {
        Value value = Evaluator.compile(expression).eval(row, run());
        var kernels = new Kernels(row.length);
        var kernel = kernels.of(expression);
        var columns = new Vector[row.length];
        for (int index = 0; index < row.length; index++) {
            columns[index] = Vector.of(columnTypes.get(index));
            columns[index].add(row[index]);
        }
        var kernelRun = new KernelRun(run(), kernels.count());
        int[] rows = kernelRun.begin(batch(columns));
        Vector result = kernel.eval(kernelRun, rows, 1);
        assertThat(result.isNull(0) ? Value.Null.NULL : result.get(0)).isEqualTo(value);
        return value;
    }

    private static ColumnBatch batch(Vector[] columns) {
        ColumnBatch batch = ColumnBatch.of(columns);
        batch.setRows(1);
        return batch;
    }

    /// The value as the tests show it: YSON in text form.
    static String print(Type type, Value value) {
        YsonNode node =
                value.isNull() ? new YsonNode.Entity() : YtYson.node(YtType.of(type), value);
        return YsonWriter.write(node, YsonWriter.Format.TEXT).utf8();
    }

    static String print(YtError error) {
        return error.message()
                + error.attributes().members().entrySet().stream()
                        .map(member -> " " + member.getKey().utf8() + "=" + text(member.getValue()))
                        .collect(Collectors.joining());
    }

    private static String text(YsonNode node) {
        Bytes yson = YsonWriter.write(node, YsonWriter.Format.TEXT);
        return yson.utf8();
    }

    /// The result of the step, or the message of the error that ended it.
    static String outcome(Supplier<String> step) {
        try {
            return step.get();
        } catch (YtException e) {
            return "error: " + print(e.error());
        } catch (StatusException e) {
            return "failed: " + e.issues().getFirst().message();
        }
    }
}
