package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.aggregate.AggregateTransforms;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.aggregate.AggregationFactories;
import io.cleave.function.aggregate.MultiAggregates;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction;
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

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Resolves names above a GROUP BY: its keys, and aggregates over the input rows. It collects the
/// aggregates; the relation is created when all expressions have been analyzed.
///
/// The columns of the result are the keys, then the number of the grouping set if there are several
/// sets, then the aggregates.
final class GroupScope extends BaseScope {
    private record Key(Optional<String> alias, Expression expression, Typed value) {
        boolean isLike(Expression other) {
            return expression.getClass() == other.getClass();
        }
    }

    private final RowScope below;

    /// The scope for the arguments of aggregates. An alias from GROUP BY takes precedence over a
    /// column.
    private final RowScope aggregated;

    private final GroupingSets sets;
    private final List<Key> keys = new ArrayList<>();
    private final List<String> keyTexts = new ArrayList<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();
    private @Nullable Windows windows;

    /// The length of the HOP windows, if the rows are grouped by them.
    private long hopMicros;

    GroupScope(RowScope below, List<Grouping> groupBy) {
        super(below.context, below.bindings);
        this.below = below;
        this.sets = new GroupingSets(groupBy);
        this.aggregated = new WhereScope(below, sets.keys());
        for (GroupKey key : sets.keys()) {
            Typed value = below.analyze(key.key());
            String name =
                    key.alias()
                            .or(() -> QueryAnalyzer.ownName(key.key()))
                            .orElse("group" + keys.size());
            Predicates.requireHashable(key.key().at(), name, value.type());
            keys.add(new Key(key.alias(), key.key(), value));
            keyTexts.add(GroupingSets.text(key.key()));
        }
    }

    /// The scope for rows that are grouped by hopping windows.
    static GroupScope ofHops(RowScope below, HoppingWindows hops) {
        var scope = new GroupScope(below, hops.groupBy());
        scope.hopMicros = hops.intervalMicros();
        return scope;
    }

    /// From now on window functions are allowed here and collected in `collected`; null disallows
    /// them.
    void allow(@Nullable Windows collected) {
        windows = collected;
    }

    @Override
    public Typed window(Expression.Call call) {
        return windows == null ? super.window(call) : windows.call(call, this);
    }

    @Override
    public Optional<Typed> known(Expression expression) {
        // The text is only built for an expression that could be a key. An alias from GROUP BY
        // takes precedence over a key of the same spelling.
        if (expression instanceof Expression.Literal
                || keys.stream().noneMatch(key -> key.isLike(expression))
                || (expression instanceof Expression.ColumnName column && isAlias(column))) {
            return Optional.empty();
        }
        int key = keyTexts.indexOf(GroupingSets.text(expression));
        return key < 0 ? Optional.empty() : Optional.of(input(key));
    }

    private boolean isAlias(Expression.ColumnName column) {
        return column.source().isEmpty()
                && keys.stream().anyMatch(key -> key.alias().equals(Optional.of(column.name())));
    }

    Typed input(int key) {
        return new Typed.Input(keyType(key), key);
    }

    /// With several grouping sets, a key is NULL in the rows of a set that does not contain it.
    private Type keyType(int key) {
        Type type = keys.get(key).value().type();
        return sets.isPlain() ? type : type.optional();
    }

    @Override
    public Typed column(Position at, Optional<String> source, String name) {
        for (int index = 0; index < keys.size(); index++) {
            Key key = keys.get(index);
            if (source.isEmpty() && key.alias().filter(name::equals).isPresent()) {
                return input(index);
            }
        }
        Optional<Expression> partitionKey =
                windows == null ? Optional.empty() : windows.partitionKey(source, name);
        if (partitionKey.isPresent() && below.source.matches(source, name).isEmpty()) {
            return withoutWindows(partitionKey.get());
        }
        Typed column = below.column(at, source, name);
        for (int index = 0; index < keys.size(); index++) {
            if (keys.get(index).value().equals(column)) {
                return input(index);
            }
        }
        throw AnalysisContext.error(
                at,
                "Column `"
                        + name
                        + "` must either be a key column in GROUP BY or it should be used in"
                        + " aggregation function");
    }

    /// Inside its own value, the name of a PARTITION BY key has no special meaning.
    private Typed withoutWindows(Expression partitionKey) {
        Windows allowed = windows;
        windows = null;
        Typed value = analyze(partitionKey);
        windows = allowed;
        return value;
    }

    @Override
    public Typed aggregate(Expression.Call written) {
        String plain = Aggregates.plainName(written.name());
        if (plain.equals("sessionstart")) {
            return sessionStart(written);
        }
        if (plain.equals("hopstart") || plain.equals("hopend")) {
            Typed end = hopEnd(written);
            return plain.equals("hopend") ? end : hopStart(written, end);
        }
        boolean multi = AggregationFactories.isMulti(written.name());
        AggregationFactories.Meant meant =
                multi
                        ? new AggregationFactories.Meant(
                                AggregationFactories.resolved(written, this), List.of())
                        : AggregationFactories.meant(written, this);
        Expression.Call call = meant.call();
        if (call.arguments().stream().anyMatch(a -> AggregateFinder.in(a.value()))) {
            throw AnalysisContext.error(call.at(), "Aggregation of aggregated values is forbidden");
        }
        List<Typed> arguments = new ArrayList<>();
        if (!call.star()) {
            call.arguments()
                    .forEach(argument -> arguments.add(aggregated.analyze(argument.value())));
        }
        var around = new AggregateTransforms(meant.steps(), 0);
        if (!meant.steps().isEmpty()) {
            Typed input = around.input(arguments.removeFirst());
            arguments.addAll(0, AggregationFactories.spread(call.name(), input));
        }
        AggregateFunction function =
                multi
                        ? MultiAggregates.of(call.at(), call.name(), arguments)
                        : around.function(call.at(), call.name(), arguments, call.distinct());
        boolean mayBeEmpty = sets.sets().stream().anyMatch(Set::isEmpty);
        Type type = mayBeEmpty ? function.type() : function.groupedType();
        aggregates.add(new AggregateCall(call.name(), function, type, arguments));
        int before = keys.size() + (sets.isPlain() ? 0 : 1);
        return around.output(new Typed.Input(type, before + aggregates.size() - 1));
    }

    private Typed sessionStart(Expression.Call call) {
        for (int index = 0; index < keys.size(); index++) {
            if (SessionWindows.isStart(keys.get(index).expression())) {
                return input(index);
            }
        }
        throw AnalysisContext.error(
                call.at(), call.name() + " can not be used without SessionWindow in GROUP BY");
    }

    private Typed hopEnd(Expression.Call call) {
        for (int index = 0; index < keys.size(); index++) {
            if (HoppingWindows.isEnd(keys.get(index).expression())) {
                return input(index);
            }
        }
        throw AnalysisContext.error(
                call.at(), call.name() + " can not be used without HOP in GROUP BY");
    }

    private Typed hopStart(Expression.Call call, Typed end) {
        long length = hopMicros;
        return new Typed.Apply(
                end.type(),
                ScalarFunction.strict(
                        call.name(), a -> Value.of(((Value.Int) a[0]).value() - length)),
                List.of(end));
    }

    /// One bit for each argument, the first argument in the highest bit. A bit is set if the row's
    /// grouping set does not contain the argument.
    @Override
    public Typed grouping(Expression.Call call) {
        if (sets.areKeysOnly()) {
            throw AnalysisContext.error(
                    call.at(),
                    "GROUPING function should be used with GROUP BY ROLLUP, CUBE or GROUPING SETS");
        }
        long[] bySet = new long[sets.sets().size()];
        for (Expression.Argument argument : call.arguments()) {
            if (!(analyze(argument.value()) instanceof Typed.Input(_, int key))
                    || key >= keys.size()) {
                throw AnalysisContext.error(
                        argument.value().at(), "Expected a key of GROUP BY in GROUPING");
            }
            for (int set = 0; set < bySet.length; set++) {
                bySet[set] = bySet[set] << 1 | (sets.sets().get(set).contains(key) ? 0 : 1);
            }
        }
        if (sets.isPlain()) {
            return new Typed.Constant(Primitive.UINT64, Value.of(0));
        }
        return new Typed.Apply(
                Primitive.UINT64,
                ScalarFunction.strict(
                        "GROUPING", a -> Value.of(bySet[(int) ((Value.Int) a[0]).value()])),
                List.of(new Typed.Input(GroupedRows.SET_TYPE, keys.size())));
    }

    @Override
    public Typed row(Position at) {
        throw AnalysisContext.error(at, "TableRow() is not allowed above GROUP BY");
    }

    /// The name of a key as a result column, if it has one.
    Optional<String> keyName(int key) {
        return keys.get(key).alias().or(() -> QueryAnalyzer.ownName(keys.get(key).expression()));
    }

    /// The number of visible keys. The number of a session, which is the last key, is hidden.
    int keyCount() {
        boolean numbered =
                !keys.isEmpty()
                        && keys.getLast().alias().filter(SessionWindows::isNumber).isPresent();
        return numbered ? keys.size() - 1 : keys.size();
    }

    /// Groups the rows of `input`, whose columns are those of the scope below.
    Relation relation(Relation input) {
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < keys.size(); index++) {
            fields.add(new Field(keyName(index).orElse("group" + index), keyType(index)));
        }
        return new GroupedRows(
                        input,
                        keys.stream().map(Key::value).toList(),
                        fields,
                        sets,
                        List.copyOf(aggregates))
                .relation();
    }
}
