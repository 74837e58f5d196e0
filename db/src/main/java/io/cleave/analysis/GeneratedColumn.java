package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Parser;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/// A key column that is computed of other columns of the key, whoever writes the row. Because
/// nothing but these decides on it, it is also known of a row that is looked for by them.
///
/// @param keyColumn counts the columns of the primary key from 0
/// @param sources the columns it is computed of, counted so too
/// @param expression its inputs are the columns of the primary key
public record GeneratedColumn(int keyColumn, List<Integer> sources, Typed expression) {
    private static final AnalysisOptions OPTIONS =
            new AnalysisOptions("", Dialect.QUERY_SERVICE, Map.of());

    private static final Tables NO_TABLES =
            new Tables() {
                @Override
                public Optional<Table> find(String path) {
                    return Optional.empty();
                }

                @Override
                public int tabletCount(Table table, KeyRange range) {
                    return 0;
                }

                @Override
                public Set<Long> cells(Table table, KeyRange range) {
                    return Set.of();
                }
            };

    public GeneratedColumn {
        sources = List.copyOf(sources);
    }

    /// Those of a table, in the order of its key.
    public static List<GeneratedColumn> of(Table table) {
        List<Column> key = table.key();
        List<GeneratedColumn> all = new ArrayList<>();
        for (int index = 0; index < key.size(); index++) {
            if (isGenerated(key.get(index))) {
                all.add(of(key, index));
            }
        }
        return all;
    }

    public static boolean isGenerated(Column column) {
        return column.preset().orElse(null) instanceof Preset.Generated;
    }

    /// Whether the table has one.
    public static boolean isIn(Table table) {
        return table.columns().stream().anyMatch(GeneratedColumn::isGenerated);
    }

    /// Whether a generated column may be NULL though none of the columns that it is computed of is.
    public static boolean mayBeNull(Table table, Column column) {
        var preset = (Preset.Generated) column.preset().orElseThrow();
        List<Column> known =
                table.key().stream()
                        .map(each -> isGenerated(each) ? each : each.asNotNull())
                        .toList();
        return analyze(preset.expression(), known).type().isOptional();
    }

    private static GeneratedColumn of(List<Column> key, int index) {
        var preset = (Preset.Generated) key.get(index).preset().orElseThrow();
        Typed expression = analyze(preset.expression(), key);
        return new GeneratedColumn(index, List.copyOf(TypedTree.inputs(expression)), expression);
    }

    /// The expression over the columns of a key; refuses what it must not be.
    private static Typed analyze(String text, List<Column> key) {
        var scope = new KeyScope(new AnalysisContext(OPTIONS, NO_TABLES), key);
        Typed expression = scope.context.expressions().analyze(parse(text), scope);
        TypedTree.walk(expression, GeneratedColumn::checkPart);
        return expression;
    }

    private static Expression parse(String text) {
        List<Statement> statements = Parser.parse("SELECT " + text);
        if (statements.size() == 1
                && statements.getFirst() instanceof Statement.Run(_, Query.Select select, _)
                && select.from().isEmpty()
                && select.items().size() == 1
                && select.items().getFirst()
                        instanceof Query.Item.Column(Expression value, Optional<String> alias)
                && alias.isEmpty()) {
            return value;
        }
        throw new StatusException(Status.GENERIC_ERROR, "not one expression: " + text);
    }

    private static void checkPart(Typed part) {
        switch (part) {
            case Typed.Constant _,
                    Typed.Input _,
                    Typed.Convert _,
                    Typed.Coalesce _,
                    Typed.IsNull _,
                    Typed.ItemOf _,
                    Typed.ItemsOf _ -> {}
            case Typed.Apply apply -> {
                if (!apply.function().isPure()) {
                    throw refused(
                            apply.function().name() + " does not give the same value each time");
                }
            }
            case Typed.Parameter parameter -> throw refused("$" + parameter.name());
            case Typed.SubQueryResult _ -> throw refused("a subquery");
            case Typed.LambdaArgument _,
                    Typed.ApplyLambdas _,
                    Typed.Compare _,
                    Typed.And _,
                    Typed.Or _,
                    Typed.Not _,
                    Typed.In _,
                    Typed.Choose _ ->
                    throw refused("only functions, operators on numbers and conversions");
        }
    }

    private static StatusException refused(String what) {
        return new StatusException(Status.GENERIC_ERROR, "it may not have this in it: " + what);
    }

    /// Refuses a definition whose generated columns are not what they must be. `at` is where it
    /// stands.
    static void check(Position at, List<Column> columns, List<Column> key) {
        for (Column column : columns) {
            if (!(column.preset().orElse(null) instanceof Preset.Generated(String text))) {
                continue;
            }
            int index = key.indexOf(column);
            if (index < 0) {
                throw AnalysisContext.unsupported(
                        at, "Generated column '" + column.name() + "' outside the primary key");
            }
            Typed expression;
            try {
                expression = analyze(text, key);
            } catch (StatusException e) {
                throw AnalysisContext.error(
                        at,
                        "Generated column '%s' AS (%s): %s"
                                .formatted(column.name(), text, e.issues().getFirst().message()));
            }
            checkType(at, column, text, expression);
            if (TypedTree.inputs(expression).isEmpty()) {
                throw AnalysisContext.error(
                        at,
                        "Generated column '%s' AS (%s) is computed of no column"
                                .formatted(column.name(), text));
            }
        }
    }

    private static void checkType(Position at, Column column, String text, Typed expression) {
        Type type = expression.type();
        boolean fits =
                type.unwrapped().equals(column.type()) && !(column.notNull() && type.isOptional());
        if (!fits) {
            throw AnalysisContext.error(
                    at,
                    "Generated column '%s' AS (%s) type mismatch, expected: %s, actual: %s"
                            .formatted(
                                    column.name(), text, column.valueType().text(), type.text()));
        }
    }

    /// Its value in a row whose key has these values; those that it is not computed of may be
    /// anything.
    public Value of(Value[] key) {
        return value(expression, key);
    }

    /// The expression with others in the places of its sources.
    public Typed over(IntFunction<Typed> source) {
        return TypedTree.mapInputs(
                expression, input -> source.apply(((Typed.Input) input).index()));
    }

    private static Value value(Typed node, Value[] key) {
        return switch (node) {
            case Typed.Constant(_, Value value) -> value;
            case Typed.Input(_, int index) -> key[index];
            case Typed.Convert convert -> {
                Value value = value(convert.operand(), key);
                yield value.isNull() ? value : convert.conversion().apply(value);
            }
            case Typed.Apply apply ->
                    apply.function().apply(values(apply.arguments(), key), new NoRun());
            case Typed.Coalesce(_, List<Typed> arguments) -> {
                Value found = Value.Null.NULL;
                for (Typed argument : arguments) {
                    if (found.isNull()) {
                        found = value(argument, key);
                    }
                }
                yield found;
            }
            case Typed.IsNull isNull -> Value.bool(value(isNull.operand(), key).isNull());
            case Typed.ItemOf item -> {
                Value items = value(item.operand(), key);
                yield items instanceof Value.Items(List<Value> values)
                        ? values.get(item.index())
                        : Value.Null.NULL;
            }
            case Typed.ItemsOf(_, List<Typed> items) -> Value.items(List.of(values(items, key)));
            case Typed _ -> throw new IllegalStateException("checked when it was made: " + node);
        };
    }

    /// Without a stream: that would be ten frames more for each level of a deep expression.
    private static Value[] values(List<Typed> nodes, Value[] key) {
        var values = new Value[nodes.size()];
        for (int index = 0; index < values.length; index++) {
            values[index] = value(nodes.get(index), key);
        }
        return values;
    }

    /// Names the columns of the key that are not generated themselves.
    private static final class KeyScope extends BaseScope {
        private final List<Column> key;

        KeyScope(AnalysisContext context, List<Column> key) {
            super(context, null);
            this.key = key;
        }

        @Override
        public Typed column(Position at, Optional<String> from, String name) {
            @Nullable Column found = null;
            for (Column column : key) {
                if (column.name().equals(name) && from.isEmpty()) {
                    found = column;
                }
            }
            if (found == null) {
                throw AnalysisContext.error(
                        at, "'" + name + "' is not a column of the primary key");
            }
            if (isGenerated(found)) {
                throw AnalysisContext.error(at, "'" + name + "' is generated itself");
            }
            if (found.sequence().isPresent()) {
                throw AnalysisContext.error(
                        at, "'" + name + "' is filled from a sequence, after this would be known");
            }
            return new Typed.Input(found.valueType(), key.indexOf(found));
        }
    }
}
