package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Errors;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.value.CommonType;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Query;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Converts queries to relations. It handles VALUES, ORDER BY, LIMIT and OFFSET; SELECT and UNION
/// have their own classes.
final class QueryAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    QueryAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    Relation analyze(Query query) {
        context.enter(query.at());
        Relation rows =
                switch (query) {
                    case Query.Select select ->
                            new SelectAnalyzer(context, bindings).analyze(select);
                    case Query.Values values -> values(values);
                    case Query.With with -> with(with);
                    case Query.Combined combined ->
                            new CombinedAnalyzer(context, bindings).analyze(combined);
                };
        context.leave();
        return rows;
    }

    /// Each common table expression is visible in those after it and in the query.
    private Relation with(Query.With with) {
        Bindings seen = bindings;
        for (Query.CommonTable table : with.tables()) {
            seen = new Bindings(seen, table.name(), new Bindings.CommonTable(table, seen));
        }
        return new QueryAnalyzer(context, seen).analyze(with.query());
    }

    /// Renames the columns of the rows. An empty list of names changes nothing.
    static Relation renamed(Position at, Relation rows, List<String> names) {
        if (names.isEmpty()) {
            return rows;
        }
        if (names.size() != rows.fields().size()) {
            throw AnalysisContext.error(
                    at,
                    "Column hints count mismatch: %d columns but %d names"
                            .formatted(rows.fields().size(), names.size()));
        }
        List<Field> fields = new ArrayList<>();
        List<Typed> values = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            Type type = rows.fields().get(index).type();
            if (names.subList(0, index).contains(names.get(index))) {
                throw AnalysisContext.error(at, "Duplicated member: " + names.get(index));
            }
            fields.add(new Field(names.get(index), type));
            values.add(new Typed.Input(type, index));
        }
        return new Relation.Project(rows, values, fields);
    }

    /// Rows of VALUES. Each column gets the common type of all its values.
    private Relation values(Query.Values values) {
        List<List<Typed>> rows = rows(values);
        int width = rows.getFirst().size();
        List<Field> fields = new ArrayList<>();
        for (int column = 0; column < width; column++) {
            int at = column;
            List<Type> types = rows.stream().map(row -> row.get(at).type()).toList();
            String name = "column" + column;
            fields.add(new Field(name, commonType(values.at(), name, types)));
        }
        return new Relation.ConstantRows(
                rows.stream().map(row -> converted(values.at(), row, fields)).toList(), fields);
    }

    /// The rows of VALUES with the own type of each expression, before conversion to a common type.
    List<List<Typed>> rows(Query.Values values) {
        int width = values.rows().getFirst().size();
        var scope = new BaseScope(context, bindings);
        List<List<Typed>> rows = new ArrayList<>();
        var mistakes = new Mistakes(context);
        for (List<Expression> row : values.rows()) {
            if (row.size() != width) {
                throw AnalysisContext.error(
                        values.at(),
                        "All VALUES items should have same size: expecting "
                                + width
                                + ", got "
                                + row.size());
            }
            List<Typed> typed = new ArrayList<>();
            row.forEach(cell -> mistakes.lookAt(() -> typed.add(scope.analyze(cell))));
            rows.add(typed);
        }
        mistakes.report();
        return rows;
    }

    private List<Typed> converted(Position at, List<Typed> row, List<Field> fields) {
        List<Typed> converted = new ArrayList<>();
        for (int index = 0; index < row.size(); index++) {
            Field field = fields.get(index);
            converted.add(context.convert(at, row.get(index), field.type(), field.name()));
        }
        return converted;
    }

    /// The common type of a column whose values come from several rows or queries.
    static Type commonType(Position at, String column, List<Type> types) {
        return CommonType.of(types)
                .orElseThrow(
                        () ->
                                Errors.type(
                                        at,
                                        "Cannot infer common type for "
                                                + types.stream()
                                                        .map(Type::text)
                                                        .distinct()
                                                        .collect(Collectors.joining(" and "))
                                                + " in column "
                                                + column));
    }

    static Relation limited(Relation rows, Query.Limit limit, BaseScope scope) {
        if (limit.count().isEmpty() && limit.offset().isEmpty()) {
            return rows;
        }
        return new Relation.Limit(
                rows,
                limit.count().map(count -> rowCount(count, scope)),
                limit.offset().map(offset -> rowCount(offset, scope)));
    }

    private static Typed rowCount(Expression expression, BaseScope scope) {
        Typed count = scope.analyze(expression);
        if (!Ints.isInteger(count.type().unwrapped())) {
            throw Errors.type(
                    expression.at(),
                    "Expected Uint64 in LIMIT or OFFSET, but got: " + count.type().text());
        }
        return count;
    }

    /// Throws for a literal. A number in ORDER BY is not a column position.
    static void refuseConstant(Expression key) {
        if (isLiteral(key)) {
            throw AnalysisContext.error(key.at(), "Unable to ORDER BY constant expression");
        }
    }

    private static boolean isLiteral(Expression expression) {
        return switch (expression) {
            case Expression.Literal _ -> true;
            case Expression.Unary unary -> isLiteral(unary.operand());
            case Expression.Binary binary -> isLiteral(binary.left()) && isLiteral(binary.right());
            default -> false;
        };
    }

    static SortKey sortKey(Position at, Typed key, boolean descending) {
        Predicates.requireOrdered(at, key.type());
        return new SortKey(key, descending);
    }

    /// The sort key for PARTITION BY: it brings equal rows together, and the order of the
    /// partitions does not matter.
    static SortKey partKey(Position at, Typed key) {
        Predicates.requireComparable(at, key.type(), key.type());
        return new SortKey(key, false);
    }

    /// The name of a SELECT list item without AS.
    static Optional<String> ownName(Expression expression) {
        return switch (expression) {
            case Expression.ColumnName column -> Optional.of(column.name());
            case Expression.Member member -> Optional.of(member.name());
            default -> Optional.empty();
        };
    }
}
