package io.cleave.analysis;

import io.cleave.analysis.Relation.SortKey;
import io.cleave.base.Issue.Position;
import io.cleave.value.CommonType;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `GROUP BY key, SessionWindow(time, timeout)`: the rows that the other keys put together, in the
/// order of their times, fall into sessions wherever a time is more than the timeout behind the one
/// before it. The first time of its session becomes a column of each row, and that is the key.
///
/// @param source the rows with that column behind the others
/// @param groupBy with the column in the place of the call
record SessionWindows(RowSource source, List<Grouping> groupBy) {
    /// No name that somebody would write.
    private static final String COLUMN = "SessionWindow()";

    private static final long SECOND_MICROS = 1_000_000;
    private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

    /// Nothing if there is none. `rows` are those of the scope that WHERE has left.
    static Optional<SessionWindows> of(RowScope scope, Relation rows, List<Grouping> groupBy) {
        int place = -1;
        for (int index = 0; index < groupBy.size(); index++) {
            if (call(groupBy.get(index)).isPresent()) {
                if (place >= 0) {
                    throw AnalysisContext.error(
                            call(groupBy.get(index)).get().at(),
                            "Only one session window specification is allowed");
                }
                place = index;
            }
        }
        return place < 0 ? Optional.empty() : Optional.of(of(scope, rows, groupBy, place));
    }

    private static Optional<Expression.Call> call(Grouping grouping) {
        return grouping instanceof GroupKey(Expression.Call call, _)
                        && call.module().isEmpty()
                        && call.plainName().equals("sessionwindow")
                ? Optional.of(call)
                : Optional.empty();
    }

    private static SessionWindows of(
            RowScope scope, Relation rows, List<Grouping> groupBy, int place) {
        Expression.Call call = call(groupBy.get(place)).orElseThrow();
        if (call.arguments().size() != 2) {
            throw AnalysisContext.unsupported(
                    call.at(), "SessionWindow of other than a time and a timeout");
        }
        Typed time = scope.analyze(call.arguments().getFirst().value());
        Typed timeout = scope.analyze(call.arguments().getLast().value());
        long unitMicros = unit(call.at(), time.type(), timeout.type());
        List<Typed> partition = new ArrayList<>();
        List<SortKey> order = new ArrayList<>();
        for (Grouping grouping : groupBy) {
            if (!(grouping instanceof GroupKey(Expression key, _))) {
                throw AnalysisContext.unsupported(call.at(), "SessionWindow with grouping sets");
            }
            if (call(grouping).isEmpty()) {
                Typed value = scope.analyze(key);
                partition.add(value);
                order.add(QueryAnalyzer.sortKey(key.at(), value, false));
            }
        }
        var byTime = QueryAnalyzer.sortKey(call.at(), time, false);
        order.add(byTime);
        boolean fractional = isFractional(time.type()) || isFractional(timeout.type());
        boolean unsigned = time.type().unwrapped() == Primitive.UINT64;
        var sessions =
                new WindowCall(
                        "SessionWindow",
                        new RunningFunction(() -> new Session(unitMicros, fractional, unsigned)),
                        time.type(),
                        List.of(time, timeout),
                        WindowFrame.WHOLE);
        Relation windowed =
                new Relation.Window(
                        new Relation.Sort(rows, order),
                        partition,
                        List.of(byTime),
                        List.of(sessions));
        List<RowSource.Named> columns = new ArrayList<>(scope.source.columns());
        columns.add(new RowSource.Named(List.of(), COLUMN, time.type(), -1, true));
        Optional<String> alias = ((GroupKey) groupBy.get(place)).alias();
        List<Grouping> keys = new ArrayList<>(groupBy);
        keys.set(
                place,
                new GroupKey(
                        new Expression.ColumnName(call.at(), Optional.empty(), COLUMN),
                        Optional.of(alias.orElse("group" + place))));
        return new SessionWindows(new RowSource(windowed, columns), keys);
    }

    static boolean isCall(Grouping grouping) {
        return call(grouping).isPresent();
    }

    /// Whether it is the column with where a session begins, which no row shows.
    static boolean isColumn(String name) {
        return name.equals(COLUMN);
    }

    /// Whether the key is where a session begins.
    static boolean isStart(Expression key) {
        return key instanceof Expression.ColumnName(_, _, String name) && isColumn(name);
    }

    private static boolean isFractional(Type type) {
        return type.unwrapped() == Primitive.DOUBLE || type.unwrapped() == Primitive.FLOAT;
    }

    /// How many of the timeout's units one of the time's is: a number's timeout is a number, and a
    /// moment's an Interval.
    private static long unit(Position at, Type time, Type timeout) {
        boolean interval =
                timeout.unwrapped() == Primitive.INTERVAL
                        || timeout.unwrapped() == Primitive.INTERVAL64;
        if (CommonType.isNumber(time.unwrapped()) && CommonType.isNumber(timeout.unwrapped())) {
            return 1;
        }
        if (interval && time.unwrapped() instanceof Primitive moment) {
            switch (moment) {
                case DATE, DATE32 -> {
                    return DAY_MICROS;
                }
                case DATETIME, DATETIME64 -> {
                    return SECOND_MICROS;
                }
                case TIMESTAMP, TIMESTAMP64 -> {
                    return 1;
                }
                default -> {}
            }
        }
        throw Errors.type(
                at,
                "SessionWindow expects numbers, or a date and an Interval, but got: %s and %s"
                        .formatted(time.text(), timeout.text()));
    }

    private static final class Session implements WindowFunction.Running {
        private final long unitMicros;
        private final boolean fractional;
        private final boolean unsigned;

        /// Null before the first row.
        private @Nullable Value last;

        private Value start = Value.Null.NULL;

        Session(long unitMicros, boolean fractional, boolean unsigned) {
            this.unitMicros = unitMicros;
            this.fractional = fractional;
            this.unsigned = unsigned;
        }

        @Override
        public Value next(Value[] arguments, boolean peer) {
            if (last == null || begins(last, arguments[0], arguments[1])) {
                start = arguments[0];
            }
            last = arguments[0];
            return start;
        }

        /// Rows without a time come first, and are one session.
        private boolean begins(Value before, Value time, Value timeout) {
            if (before.isNull() || time.isNull() || timeout.isNull()) {
                return !before.equals(time);
            }
            if (fractional) {
                return SumAggregates.number(time, unsigned) - SumAggregates.number(before, unsigned)
                        > SumAggregates.number(timeout, false);
            }
            // Times ascend, so the difference is no less than 0, and may need all 64 bits.
            long difference = ((Value.Int) time).value() - ((Value.Int) before).value();
            long most = ((Value.Int) timeout).value();
            return most < 0 || Long.compareUnsigned(difference, most / unitMicros) > 0;
        }
    }
}
