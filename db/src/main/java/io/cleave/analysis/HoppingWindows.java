package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Casts;
import io.cleave.typed.ConstantValue;
import io.cleave.typed.Errors;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `GROUP BY key, HOP(time, hop, interval, delay)` and `HoppingWindow(time, hop, interval)`.
/// Windows of length `interval` start at every multiple of `hop` since 1970, and a row belongs to
/// every window that contains its time. Each row is therefore repeated for each of its windows,
/// with the end of the window as an added column, and grouped by that column. The delay matters
/// only for streams and is ignored.
///
/// @param source the rows with the added column last
/// @param groupBy the keys, with the call replaced by the added column
/// @param intervalMicros the length of a window
record HoppingWindows(RowSource source, List<Grouping> groupBy, long intervalMicros) {
    /// A name that cannot clash with a column of a query.
    private static final String COLUMN = "HoppingWindow()";

    /// Maximum number of windows that contain one row.
    private static final long MAX_WINDOWS = 100_000;

    /// Empty if GROUP BY has no hopping window. `rows` are the rows of the scope after WHERE.
    static Optional<HoppingWindows> of(RowScope scope, Relation rows, List<Grouping> groupBy) {
        int place = -1;
        for (int index = 0; index < groupBy.size(); index++) {
            Optional<Expression.Call> call = call(groupBy.get(index));
            if (call.isPresent() && place >= 0) {
                throw AnalysisContext.error(
                        call.get().at(), "Only one hopping window specification is allowed");
            }
            place = call.isPresent() ? index : place;
        }
        return place < 0 ? Optional.empty() : Optional.of(of(scope, rows, groupBy, place));
    }

    private static Optional<Expression.Call> call(Grouping grouping) {
        return grouping instanceof GroupKey(Expression.Call call, _)
                        && call.module().isEmpty()
                        && (call.plainName().equals("hop")
                                || call.plainName().equals("hoppingwindow"))
                ? Optional.of(call)
                : Optional.empty();
    }

    private static HoppingWindows of(
            RowScope scope, Relation rows, List<Grouping> groupBy, int place) {
        Expression.Call call = call(groupBy.get(place)).orElseThrow();
        boolean delayed = call.plainName().equals("hop");
        int count = delayed ? 4 : 3;
        if (call.arguments().size() != count) {
            throw AnalysisContext.error(
                    call.at(),
                    "%s requires %d arguments, given: %d"
                            .formatted(call.name(), count, call.arguments().size()));
        }
        if (((GroupKey) groupBy.get(place)).alias().isPresent()) {
            throw AnalysisContext.unsupported(call.at(), "A name for " + call.name());
        }
        for (Grouping grouping : groupBy) {
            if (!(grouping instanceof GroupKey) || SessionWindows.isCall(grouping)) {
                throw AnalysisContext.unsupported(
                        call.at(), call.name() + " with grouping sets or SessionWindow");
            }
        }
        Typed time = scope.analyze(call.arguments().getFirst().value());
        if (time.type().unwrapped() != Primitive.TIMESTAMP) {
            throw Errors.type(
                    call.at(),
                    "Expected Timestamp in %s, but got: %s"
                            .formatted(call.name(), time.type().text()));
        }
        long hop = micros(call, 1, scope, "hop");
        long interval = micros(call, 2, scope, "interval");
        check(call.at(), hop > 0 && interval > 0, "hop and interval have to be positive");
        check(call.at(), interval % hop == 0, "interval has to be divisible by hop");
        check(
                call.at(),
                interval / hop <= MAX_WINDOWS,
                "interval may have no more than %d hops".formatted(MAX_WINDOWS));
        if (delayed) {
            long delay = micros(call, 3, scope, "delay");
            check(call.at(), delay >= 0 && delay % hop == 0, "delay has to be divisible by hop");
        }
        Typed ends =
                new Typed.Apply(
                        new Type.ListOf(Primitive.TIMESTAMP),
                        ScalarFunction.of(call.name(), a -> ends(a[0], hop, interval)),
                        List.of(time));
        Relation windowed =
                new Relation.Flatten(
                        rows, List.of(ends), List.of(new Field(COLUMN, Primitive.TIMESTAMP)));
        List<RowSource.Named> columns = new ArrayList<>(scope.source.columns());
        columns.add(new RowSource.Named(List.of(), COLUMN, Primitive.TIMESTAMP, -1, true));
        List<Grouping> keys = new ArrayList<>(groupBy);
        keys.set(
                place,
                new GroupKey(
                        new Expression.ColumnName(call.at(), Optional.empty(), COLUMN),
                        Optional.of("group" + place)));
        return new HoppingWindows(new RowSource(windowed, columns), keys, interval);
    }

    /// Whether this is the column with the end of the window, which is hidden in results.
    static boolean isColumn(String name) {
        return name.equals(COLUMN);
    }

    /// Whether the key is the end of the window.
    static boolean isEnd(Expression key) {
        return key instanceof Expression.ColumnName(_, _, String name) && isColumn(name);
    }

    private static void check(Position at, boolean holds, String message) {
        if (!holds) {
            throw AnalysisContext.error(at, message);
        }
    }

    /// An Interval, or a string in the format of an Interval: `"PT10S"`.
    private static long micros(Expression.Call call, int index, RowScope scope, String what) {
        Expression written = call.arguments().get(index).value();
        Typed value = scope.analyze(written);
        Typed interval =
                value.type() == Primitive.INTERVAL
                        ? value
                        : Casts.cast(written.at(), value, Primitive.INTERVAL);
        if (ConstantValue.of(interval).orElse(Value.Null.NULL) instanceof Value.Int(long micros)) {
            return micros;
        }
        throw AnalysisContext.error(
                written.at(),
                "Expected a literal interval as %s of %s".formatted(what, call.name()));
    }

    /// A row whose time is NULL belongs to no window.
    private static Value ends(Value time, long hop, long interval) {
        List<Value> ends = new ArrayList<>();
        if (time instanceof Value.Int(long micros)) {
            long last = micros - micros % hop;
            for (long start = Math.max(0, last - interval + hop); start <= last; start += hop) {
                ends.add(Value.of(start + interval));
            }
        }
        return Value.items(ends);
    }
}
