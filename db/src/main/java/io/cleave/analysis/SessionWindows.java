package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `GROUP BY key, SessionWindow(…)`; for `PARTITION BY` see [Windows]. The rows with equal other
/// keys, ordered by time, are divided into sessions by [SessionTimeouts] or [SessionLambdas]. Each
/// row gets the key and the number of its session as added columns and is grouped by both. The
/// number keeps sessions with equal keys apart.
///
/// @param source the rows with the added columns last
/// @param groupBy the keys, with the call replaced by the column of the session key, and the
///   session number as the last key
record SessionWindows(RowSource source, List<Grouping> groupBy) {
    /// A name that cannot clash with a column of a query.
    private static final String COLUMN = "SessionWindow()";

    private static final String NUMBER = "SessionWindow() number";

    static final int NUMBER_ITEM = 0;
    static final int KEY = 1;
    static final int STATE = 2;

    /// Empty if GROUP BY has no session window. `rows` are the rows of the scope after WHERE.
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
        return grouping instanceof GroupKey(Expression key, _) ? call(key) : Optional.empty();
    }

    static Optional<Expression.Call> call(Expression key) {
        return key instanceof Expression.Call call
                        && call.module().isEmpty()
                        && call.plainName().equals("sessionwindow")
                ? Optional.of(call)
                : Optional.empty();
    }

    /// The call that divides rows in the order of `time`, its first argument, into sessions. For
    /// its result see [#type].
    static WindowCall sessions(Expression.Call call, Typed time, RowScope scope) {
        return call.arguments().size() == 2
                ? SessionTimeouts.call(
                        call.at(), time, scope.analyze(call.arguments().getLast().value()))
                : SessionLambdas.call(call, scope);
    }

    /// The expression that orders the rows for sessions.
    static Typed time(Expression.Call call, BaseScope scope) {
        int count = call.arguments().size();
        if (count != 2 && count != 4) {
            throw AnalysisContext.error(
                    call.at(), "SessionWindow requires either two or four arguments");
        }
        return scope.analyze(call.arguments().getFirst().value());
    }

    private static SessionWindows of(
            RowScope scope, Relation rows, List<Grouping> groupBy, int place) {
        Expression.Call call = call(groupBy.get(place)).orElseThrow();
        Typed time = time(call, scope);
        WindowCall sessions = sessions(call, time, scope);
        List<Typed> partition = new ArrayList<>();
        List<SortKey> order = new ArrayList<>();
        for (Grouping grouping : groupBy) {
            if (!(grouping instanceof GroupKey(Expression key, _))) {
                throw AnalysisContext.unsupported(call.at(), "SessionWindow with grouping sets");
            }
            if (call(grouping).isEmpty()) {
                Typed value = scope.analyze(key);
                partition.add(value);
                order.add(QueryAnalyzer.partKey(key.at(), value));
            }
        }
        var byTime = QueryAnalyzer.sortKey(call.at(), time, false);
        order.add(byTime);
        Relation windowed =
                new Relation.Window(
                        new Relation.Sort(rows, order),
                        partition,
                        List.of(byTime),
                        List.of(sessions));
        Optional<String> alias = ((GroupKey) groupBy.get(place)).alias();
        List<Grouping> keys = new ArrayList<>(groupBy);
        keys.set(place, key(call.at(), COLUMN, alias.orElse("group" + place)));
        keys.add(key(call.at(), NUMBER, NUMBER));
        return new SessionWindows(source(scope.source, windowed), keys);
    }

    private static GroupKey key(Position at, String column, String name) {
        return new GroupKey(
                new Expression.ColumnName(at, Optional.empty(), column), Optional.of(name));
    }

    /// Splits the result of the session function, which is the last column, into two columns.
    private static RowSource source(RowSource below, Relation windowed) {
        List<Typed> values = new ArrayList<>();
        List<Field> fields = new ArrayList<>(windowed.fields());
        for (int index = 0; index < fields.size(); index++) {
            values.add(new Typed.Input(fields.get(index).type(), index));
        }
        fields.removeLast();
        Typed session = values.removeLast();
        Typed key = item(session, KEY);
        Type keyType = key.type();
        values.add(key);
        values.add(item(session, NUMBER_ITEM));
        fields.add(new Field(COLUMN, keyType));
        fields.add(new Field(NUMBER, Primitive.UINT64));
        List<RowSource.Named> columns = new ArrayList<>(below.columns());
        columns.add(new RowSource.Named(List.of(), COLUMN, keyType, -1, true));
        columns.add(new RowSource.Named(List.of(), NUMBER, Primitive.UINT64, -1, true));
        return new RowSource(new Relation.Project(windowed, values, fields), columns);
    }

    /// The type of the session function's result: the number of the session in its partition, the
    /// key of the session, and the state after the row.
    static Type.Tuple type(Type key, Type state) {
        return new Type.Tuple(List.of(Primitive.UINT64, key, state));
    }

    static Value value(long number, Value key, Value state) {
        return Value.items(List.of(Value.of(number), key, state));
    }

    /// One of the three items of [#type].
    static Typed item(Typed session, int index) {
        Type type = ((Type.Tuple) session.type()).items().get(index);
        return new Typed.ItemOf(type, session, index);
    }

    static boolean isCall(Grouping grouping) {
        return call(grouping).isPresent();
    }

    /// Whether this is one of the added columns, which are hidden in results.
    static boolean isColumn(String name) {
        return name.equals(COLUMN) || isNumber(name);
    }

    /// Whether this is the session number, a grouping key that is hidden in results.
    static boolean isNumber(String name) {
        return name.equals(NUMBER);
    }

    /// Whether the key is the key of a session.
    static boolean isStart(Expression key) {
        return key instanceof Expression.ColumnName(_, _, String name) && name.equals(COLUMN);
    }
}
