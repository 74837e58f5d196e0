package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtFunctions;
import io.cleave.function.yt.YtType;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The groups of GROUP BY. The clauses after it may use the keys by name, and aggregate functions
/// over the rows of a group. Equal calls are computed once.
final class YtGroups implements YtScope {
    private record Key(String name, Typed value) {}

    private record Computed(String text, YtType type) {}

    private final YtRows rows;
    private final List<Key> keys = new ArrayList<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();
    private final Map<Computed, Integer> places = new HashMap<>();

    /// For each aggregate, the call whose results are combined to totals. It is the aggregate
    /// itself, or one of [#partials].
    private final List<Integer> combined = new ArrayList<>();

    /// What groups compute only for the totals. Filled by the first call of [#relation].
    private final List<AggregateCall> partials = new ArrayList<>();

    YtGroups(YtRows rows, List<YtExpression> groupBy, boolean totals, YtExpressionTyping typing) {
        this.rows = rows;
        for (YtExpression expression : groupBy) {
            Typed value = typing.typed(expression, rows);
            keys.add(
                    new Key(
                            YtExpressionText.columnName(expression),
                            totals ? optional(value) : value));
        }
    }

    /// The value as an Optional, because the row of totals has NULL as every key.
    private static Typed optional(Typed value) {
        return value.type().isOptional()
                ? value
                : new Typed.Convert(value.type().optional(), value, UnaryOperator.identity());
    }

    @Override
    public Optional<UntypedExpression> column(YtExpression.Reference reference) {
        String name = YtExpressionText.columnName(reference);
        for (int index = 0; index < keys.size(); index++) {
            if (keys.get(index).name().equals(name)) {
                return Optional.of(UntypedExpression.of(key(index)));
            }
        }
        return Optional.empty();
    }

    private Typed key(int index) {
        return new Typed.Input(keys.get(index).value().type(), index);
    }

    @Override
    public boolean columnsFirst() {
        return true;
    }

    @Override
    public UntypedExpression aggregate(YtExpression.Call call, Arguments arguments) {
        YtFunctions.Aggregation aggregation = arguments.in(rows);
        String text = YtExpressionText.of(call);
        return UntypedExpression.of(
                aggregation.types(),
                type -> {
                    int place =
                            places.computeIfAbsent(
                                    new Computed(text, type),
                                    _ -> {
                                        aggregates.add(aggregation.as(type));
                                        return aggregates.size() - 1;
                                    });
                    return new Typed.Input(aggregates.get(place).type(), keys.size() + place);
                });
    }

    /// The values of `SELECT *`.
    List<Typed> keyValues() {
        List<Typed> values = new ArrayList<>();
        for (int index = 0; index < keys.size(); index++) {
            values.add(key(index));
        }
        return values;
    }

    List<String> keyNames() {
        return keys.stream().map(Key::name).toList();
    }

    /// One row for each group, ordered by the first row of each group. To be called when all
    /// expressions that use the groups are typed.
    Relation relation() {
        List<AggregateCall> calls = new ArrayList<>(aggregates);
        calls.addAll(partials);
        return new Relation.Group(
                rows.ordered(), keys.stream().map(Key::value).toList(), calls, fields(calls));
    }

    private List<Field> fields(List<AggregateCall> calls) {
        List<Field> fields = new ArrayList<>();
        keys.forEach(key -> fields.add(new Field(key.name(), key.value().type())));
        for (AggregateCall call : calls) {
            fields.add(new Field(call.name(), call.type()));
        }
        return fields;
    }

    /// Lets groups also compute what [#totals] combines. To be called before [#relation].
    void prepareTotals() {
        List<AggregateCall> calls = new ArrayList<>(aggregates);
        calls.add(count());
        for (int index = 0; index < calls.size(); index++) {
            AggregateCall call = calls.get(index);
            AggregateFunction partial = steps(call).partial();
            if (index < aggregates.size() && partial.equals(call.function())) {
                combined.add(index);
            } else {
                combined.add(aggregates.size() + partials.size());
                partials.add(
                        new AggregateCall(
                                call.name(), partial, partial.groupedType(), call.arguments()));
            }
        }
    }

    /// Counts rows, to know whether there are any.
    private static AggregateCall count() {
        return YtFunctions.aggregate("sum", List.of(UntypedExpression.int64(1)), "sum(1)")
                .as(YtType.INT64);
    }

    private static AggregateFunction.Steps steps(AggregateCall call) {
        return call.function().steps().orElseThrow();
    }

    /// The row of totals over some of the groups. There is none if there are no groups.
    Relation totals(Relation groups) {
        List<AggregateCall> whole = new ArrayList<>(aggregates);
        whole.add(count());
        List<AggregateCall> calls = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < whole.size(); index++) {
            AggregateFunction combining = steps(whole.get(index)).combining();
            int place = keys.size() + combined.get(index);
            var argument = new Typed.Input(groups.fields().get(place).type(), place);
            var call =
                    new AggregateCall(
                            whole.get(index).name(),
                            combining,
                            combining.groupedType(),
                            List.of(argument));
            calls.add(call);
            fields.add(new Field(call.name(), call.type()));
        }
        var all = new Relation.Group(groups, List.of(), calls, fields);
        int last = calls.size() - 1;
        Typed count = new Typed.Input(calls.get(last).type().optional(), last);
        var some =
                new Relation.Filter(
                        all,
                        new Typed.Not(Primitive.BOOL, new Typed.IsNull(Primitive.BOOL, count)));
        List<Typed> values = new ArrayList<>();
        for (Key key : keys) {
            values.add(new Typed.Constant(key.value().type(), Value.Null.NULL));
        }
        for (int index = 0; index < aggregates.size(); index++) {
            values.add(new Typed.Input(aggregates.get(index).type(), index));
        }
        return new Relation.Project(some, values, fields(aggregates));
    }
}
