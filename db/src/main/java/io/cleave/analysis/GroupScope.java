package io.cleave.analysis;

import io.cleave.analysis.Relation.Field;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Query.GroupKey;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Names above a GROUP BY: its keys, and aggregates over the rows below. Collects the aggregates it
/// meets; the relation is made when all expressions have been seen.
final class GroupScope extends BaseScope {
    private static final String POSITION = "Position\\[row=\\d+, column=\\d+\\]";

    private record Key(Optional<String> alias, Expression expression, Typed value) {}

    private final RowScope below;
    private final List<Key> keys = new ArrayList<>();
    private final List<String> keyTexts = new ArrayList<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();

    GroupScope(RowScope below, List<GroupKey> groupBy) {
        super(below.context, below.bindings);
        this.below = below;
        for (GroupKey key : groupBy) {
            Typed value = below.analyze(key.key());
            keys.add(new Key(key.alias(), key.key(), value));
            keyTexts.add(text(key.key()));
        }
    }

    /// The expression without its places, so that the same words are the same text.
    private static String text(Expression expression) {
        return expression.toString().replaceAll(POSITION, "");
    }

    @Override
    public Optional<Typed> known(Expression expression) {
        if (expression instanceof Expression.Literal || keys.isEmpty()) {
            return Optional.empty();
        }
        int key = keyTexts.indexOf(text(expression));
        return key < 0 ? Optional.empty() : Optional.of(input(key));
    }

    private Typed input(int key) {
        return new Typed.Input(keys.get(key).value().type(), key);
    }

    @Override
    public Typed column(Position at, Optional<String> source, String name) {
        for (int index = 0; index < keys.size(); index++) {
            Key key = keys.get(index);
            if (source.isEmpty() && key.alias().filter(name::equals).isPresent()) {
                return input(index);
            }
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

    @Override
    public Typed aggregate(Expression.Call call) {
        List<Typed> arguments =
                call.star()
                        ? List.of()
                        : call.arguments().stream()
                                .map(argument -> below.analyze(argument.value()))
                                .toList();
        AggregateFunction function =
                Aggregates.find(
                        call.at(),
                        call.name(),
                        arguments.stream().map(Typed::type).toList(),
                        call.distinct());
        boolean mayBeEmpty =
                keys.isEmpty()
                        || arguments.stream().anyMatch(argument -> argument.type().isOptional());
        Type type = mayBeEmpty ? function.type() : function.type().unwrapped();
        aggregates.add(new AggregateCall(call.name(), function, type, arguments));
        return new Typed.Input(type, keys.size() + aggregates.size() - 1);
    }

    @Override
    public Typed row(Position at) {
        throw AnalysisContext.error(at, "TableRow() is not allowed above GROUP BY");
    }

    /// The name of a key as a column of the result, when it has one.
    Optional<String> keyName(int key) {
        return keys.get(key).alias().or(() -> QueryAnalyzer.ownName(keys.get(key).expression()));
    }

    int keyCount() {
        return keys.size();
    }

    /// Groups rows of `input`, which has the columns that the scope below saw.
    Relation relation(Relation input) {
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < keys.size(); index++) {
            fields.add(
                    new Field(
                            keyName(index).orElse("group" + index),
                            keys.get(index).value().type()));
        }
        for (AggregateCall call : aggregates) {
            fields.add(new Field(call.name(), call.type()));
        }
        return new Relation.Group(
                input, keys.stream().map(Key::value).toList(), aggregates, fields);
    }
}
