package io.cleave.yt.table.query;

import io.cleave.balance.TabletState;
import io.cleave.balance.yt.metric.MetricColumn;
import io.cleave.balance.yt.metric.MetricLanguage;
import io.cleave.balance.yt.metric.TabletMetric;
import io.cleave.base.StatusException;
import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.eval.RunContext;
import io.cleave.function.yt.YtType;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpressionTyping;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;

/// CompiledMetrics of the balancer in the query language.
///
/// A metric calculates with numbers and booleans only, and is at most [#MOST_TEXT] long. So it
/// takes about as long for a tablet as it has operators, whoever wrote it: regular expressions,
/// texts and lists are refused.
///
/// Threads: any.
public final class MetricExpressions implements MetricLanguage {
    static final int MOST_TEXT = 4096;

    private final List<MetricColumn> columns = MetricColumn.all();

    private final List<Field> fields =
            columns.stream()
                    .map(
                            column ->
                                    switch (column) {
                                        case MetricColumn.Whole(String name, _) ->
                                                new Field(name, Primitive.INT64);
                                        case MetricColumn.Real(String name, _, _) ->
                                                new Field(name, Primitive.DOUBLE);
                                    })
                    .toList();

    @Override
    public TabletMetric compile(String text) {
        if (text.length() > MOST_TEXT) {
            throw error(
                    "Tablet metric is too long: got %d characters, limit %d"
                            .formatted(text.length(), MOST_TEXT));
        }
        Typed expression = YtExpressionTyping.of(text, fields);
        Type type = expression.type().unwrapped();
        if (!isNumber(type)) {
            throw error(
                    "Tablet metric value type is not numerical: got \"%s\""
                            .formatted(YtType.of(type).text()));
        }
        TypedTree.walk(expression, MetricExpressions::check);
        return new Metric(expression, columns);
    }

    private static void check(Typed part) {
        boolean isCheap =
                switch (part.type().unwrapped()) {
                    case Primitive primitive -> primitive == Primitive.BOOL || isNumber(primitive);
                    // NULL, and the constants of IN and BETWEEN.
                    case Type.Unit _ -> true;
                    default -> part instanceof Typed.Constant;
                };
        if (!isCheap) {
            throw error(
                    "Tablet metric may calculate with numbers and booleans only: got \"%s\""
                            .formatted(YtType.of(part.type()).text()));
        }
    }

    private static boolean isNumber(Type type) {
        return type == Primitive.DOUBLE || type == Primitive.INT64 || type == Primitive.UINT64;
    }

    private static YtException error(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }

    private static final class Metric implements TabletMetric {
        private final Evaluation evaluation;
        private final RunContext run = new RunContext(Map.of(), () -> 0, new SplittableRandom(0));

        /// The columns that the expression reads, by their places in the row; null for others.
        private final @Nullable MetricColumn[] columns;

        private final boolean isUnsigned;

        Metric(Typed expression, List<MetricColumn> all) {
            evaluation = Evaluator.compile(expression);
            SortedSet<Integer> inputs = TypedTree.inputs(expression);
            columns = new MetricColumn[inputs.isEmpty() ? 0 : inputs.getLast() + 1];
            inputs.forEach(input -> columns[input] = all.get(input));
            isUnsigned = expression.type().unwrapped() == Primitive.UINT64;
        }

        @Override
        public double of(TabletState tablet) {
            Value[] row = new Value[columns.length];
            for (int place = 0; place < row.length; place++) {
                row[place] = value(columns[place], tablet);
            }
            try {
                return switch (evaluation.eval(row, run)) {
                    case Value.Real(double real) -> real;
                    case Value.Int(long whole) -> isUnsigned ? unsigned(whole) : whole;
                    default ->
                            throw error("Tablet metric value type is not numerical: got \"null\"");
                };
            } catch (StatusException failed) {
                throw error(String.valueOf(failed.getMessage()));
            }
        }

        private static Value value(@Nullable MetricColumn column, TabletState tablet) {
            return switch (column) {
                case null -> Value.Null.NULL;
                case MetricColumn.Whole(_, var of) -> Value.of(of.applyAsLong(tablet));
                case MetricColumn.Real(_, _, var of) -> Value.of(of.applyAsDouble(tablet));
            };
        }

        private static double unsigned(long whole) {
            return whole >= 0 ? whole : (whole >>> 1) * 2.0;
        }

        @Override
        public boolean hasRates() {
            return Arrays.stream(columns)
                    .anyMatch(column -> column instanceof MetricColumn.Real real && real.isRate());
        }
    }
}
