package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Dialect;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Parser;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;
import io.cleave.ytql.YtExpressionTyping;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Analyzes the expressions of generated columns, in YQL or in YTsaurus' query language, over the
/// columns of the primary key. Stateless and thread-safe.
public final class GeneratedColumnAnalyzer implements GeneratedColumns {
    public static final GeneratedColumnAnalyzer ANALYZER = new GeneratedColumnAnalyzer();

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

    private GeneratedColumnAnalyzer() {}

    @Override
    public List<GeneratedColumn> of(Table table) {
        List<Column> key = table.key();
        List<GeneratedColumn> all = new ArrayList<>();
        for (int index = 0; index < key.size(); index++) {
            if (GeneratedColumn.isGenerated(key.get(index))) {
                all.add(of(key, index));
            }
        }
        return all;
    }

    @Override
    public boolean mayBeNull(Table table, Column column) {
        var preset = (Preset.Generated) column.preset().orElseThrow();
        List<Column> known =
                table.key().stream()
                        .map(each -> GeneratedColumn.isGenerated(each) ? each : each.asNotNull())
                        .toList();
        return analyze(preset, known).type().isOptional();
    }

    private static GeneratedColumn of(List<Column> key, int index) {
        var preset = (Preset.Generated) key.get(index).preset().orElseThrow();
        Typed expression = analyze(preset, key);
        return new GeneratedColumn(index, List.copyOf(TypedTree.inputs(expression)), expression);
    }

    private static Typed analyze(Preset.Generated preset, List<Column> key) {
        return switch (preset.language()) {
            case YQL -> analyze(preset.expression(), key);
            // It was checked when the table was made, and may use more than YQL's may.
            case YT ->
                    YtExpressionTyping.of(
                            preset.expression(),
                            key.stream()
                                    .map(column -> new Field(column.name(), column.valueType()))
                                    .toList());
        };
    }

    /// Analyzes the expression over the columns of a key. Throws if it has a part that is not
    /// allowed.
    private static Typed analyze(String text, List<Column> key) {
        var scope = new KeyScope(new AnalysisContext(OPTIONS, NO_TABLES), key);
        Typed expression = scope.context.expressions().analyze(parse(text), scope);
        TypedTree.walk(expression, GeneratedColumnAnalyzer::checkPart);
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
                    throw refused(apply.function().name() + " is not deterministic");
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
        return new StatusException(Status.GENERIC_ERROR, "it may not contain this: " + what);
    }

    /// Throws if a generated column of a table definition is invalid. `at` is the position of the
    /// definition.
    static void check(Position at, List<Column> columns, List<Column> key) {
        for (Column column : columns) {
            if (!(column.preset().orElse(null) instanceof Preset.Generated(String text, _))) {
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
                        "Generated column '%s' AS (%s) uses no column"
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

    /// Resolves the names of the key columns that are not generated.
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
            if (GeneratedColumn.isGenerated(found)) {
                throw AnalysisContext.error(at, "'" + name + "' is generated itself");
            }
            if (found.sequence().isPresent()) {
                throw AnalysisContext.error(
                        at,
                        "'"
                                + name
                                + "' is filled from a sequence, after generated columns are"
                                + " computed");
            }
            return new Typed.Input(found.valueType(), key.indexOf(found));
        }
    }
}
