package io.cleave.analysis;

import io.cleave.analysis.Relation.Field;
import io.cleave.analysis.Relation.SortKey;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `GROUP BY key, SessionWindow(…)`; for `PARTITION BY` see [Windows]. The rows that the other keys
/// put together, in the order of their times, fall into sessions, as [SessionTimeouts] or
/// [SessionLambdas] tell them apart. The key of its session becomes a column of each row, and is
/// grouped by. So does the session's number, because sessions with the same key stay apart.
///
/// @param source the rows with those columns behind the others
/// @param groupBy with the key's column in the place of the call, and the number's behind all
record SessionWindows(RowSource source, List<Grouping> groupBy) {
    /// No name that somebody would write.
    private static final String COLUMN = "SessionWindow()";

    private static final String NUMBER = "SessionWindow() number";

    static final int NUMBER_ITEM = 0;
    static final int KEY = 1;
    static final int STATE = 2;

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
        return grouping instanceof GroupKey(Expression key, _) ? call(key) : Optional.empty();
    }

    static Optional<Expression.Call> call(Expression key) {
        return key instanceof Expression.Call call
                        && call.module().isEmpty()
                        && call.plainName().equals("sessionwindow")
                ? Optional.of(call)
                : Optional.empty();
    }

    /// What tells the sessions apart in rows that come in the order of `time`, the first argument;
    /// see [#type].
    static WindowCall sessions(Expression.Call call, Typed time, RowScope scope) {
        return call.arguments().size() == 2
                ? SessionTimeouts.call(
                        call.at(), time, scope.analyze(call.arguments().getLast().value()))
                : SessionLambdas.call(call, scope);
    }

    /// What sessions are ordered by.
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

    /// What the function has put behind the columns of a row, in two columns.
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

    /// What the function gives for each row: the number of the session in its partition, the
    /// session's key, and the state after the row.
    static Type.Tuple type(Type key, Type state) {
        return new Type.Tuple(List.of(Primitive.UINT64, key, state));
    }

    static Value value(long number, Value key, Value state) {
        return Value.items(List.of(Value.of(number), key, state));
    }

    /// One of the three of [#type].
    static Typed item(Typed session, int index) {
        Type type = ((Type.Tuple) session.type()).items().get(index);
        return new Typed.ItemOf(type, session, index);
    }

    static boolean isCall(Grouping grouping) {
        return call(grouping).isPresent();
    }

    /// Whether it is one of the columns that are there for the sessions, which no row shows.
    static boolean isColumn(String name) {
        return name.equals(COLUMN) || isNumber(name);
    }

    /// Whether it is the number of a session: it is grouped by it, and nobody sees it.
    static boolean isNumber(String name) {
        return name.equals(NUMBER);
    }

    /// Whether the key is that of a session.
    static boolean isStart(Expression key) {
        return key instanceof Expression.ColumnName(_, _, String name) && name.equals(COLUMN);
    }
}
