package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.aggregate.WindowFunctions;
import io.cleave.function.call.Dialect;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Query;
import io.cleave.yql.Query.SetOperator;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// UNION, INTERSECT and EXCEPT. Columns are matched by name, or by position with the option
/// POSITIONAL_UNION. UNION fills missing columns with NULL; INTERSECT and EXCEPT need the same
/// columns on both sides.
final class CombinedAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    CombinedAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    Relation analyze(Query.Combined combined) {
        var queries = new QueryAnalyzer(context, bindings);
        Relation left = queries.analyze(combined.left());
        Relation right = queries.analyze(combined.right());
        if (context.dialect().has(Dialect.Option.POSITIONAL_UNION)) {
            right = byPlace(combined, left, right);
        }
        List<Field> fields = fields(combined, left, right);
        switch (combined.operator()) {
            case UNION, INTERSECT, EXCEPT ->
                    fields.forEach(
                            f -> Predicates.requireHashable(combined.at(), f.name(), f.type()));
            case UNION_ALL, INTERSECT_ALL, EXCEPT_ALL -> {}
        }
        Relation leftRows = aligned(combined.at(), left, fields);
        Relation rightRows = aligned(combined.at(), right, fields);
        Relation rows =
                switch (combined.operator()) {
                    case UNION_ALL -> new Relation.Concat(List.of(leftRows, rightRows));
                    case UNION ->
                            new Relation.Distinct(
                                    new Relation.Concat(List.of(leftRows, rightRows)));
                    case INTERSECT -> new Relation.Compared(leftRows, rightRows, true);
                    case EXCEPT -> new Relation.Compared(leftRows, rightRows, false);
                    case INTERSECT_ALL -> counted(combined, leftRows, rightRows, true);
                    case EXCEPT_ALL -> counted(combined, leftRows, rightRows, false);
                };
        if (!combined.orderBy().isEmpty()) {
            rows = sorted(rows, combined.orderBy());
        }
        return QueryAnalyzer.limited(rows, combined.limit(), new BaseScope(context, bindings));
    }

    /// INTERSECT ALL and EXCEPT ALL. Equal rows within a side are numbered, which makes them
    /// distinct. The n-th copy of a row on the left then matches only the n-th copy on the right.
    private static Relation counted(
            Query.Combined combined, Relation left, Relation right, boolean matches) {
        for (Field field : left.fields()) {
            if (!Order.isComparable(field.type(), field.type())) {
                throw AnalysisContext.error(
                        combined.at(),
                        "Expected comparable types in %s, but got: %s in column %s"
                                .formatted(combined.operator(), field.type().text(), field.name()));
            }
        }
        Position at = combined.at();
        Relation rows = new Relation.Compared(numbered(at, left), numbered(at, right), matches);
        List<Typed> values = new ArrayList<>();
        for (Field field : left.fields()) {
            values.add(new Typed.Input(field.type(), values.size()));
        }
        return new Relation.Project(rows, values, left.fields());
    }

    private static Relation numbered(Position at, Relation rows) {
        List<Typed> columns = new ArrayList<>();
        List<SortKey> keys = new ArrayList<>();
        for (Field field : rows.fields()) {
            var column = new Typed.Input(field.type(), columns.size());
            columns.add(column);
            keys.add(new SortKey(column, false));
        }
        return new Relation.Window(
                new Relation.Sort(rows, keys),
                columns,
                List.of(),
                List.of(WindowFunctions.rowNumber(at)));
    }

    /// The right side with its columns renamed by position to those of the left side.
    private static Relation byPlace(Query.Combined combined, Relation left, Relation right) {
        if (left.fields().size() != right.fields().size()) {
            throw AnalysisContext.error(
                    combined.at(),
                    "Mismatch of column count of the sides of %s: %d and %d"
                            .formatted(
                                    combined.operator(),
                                    left.fields().size(),
                                    right.fields().size()));
        }
        List<String> names = left.fields().stream().map(Field::name).toList();
        return QueryAnalyzer.renamed(combined.at(), right, names);
    }

    private static List<Field> fields(Query.Combined combined, Relation left, Relation right) {
        Map<String, List<Type>> types = new LinkedHashMap<>();
        for (Relation side : List.of(left, right)) {
            for (Field field : side.fields()) {
                types.computeIfAbsent(field.name(), _ -> new ArrayList<>()).add(field.type());
            }
        }
        boolean union =
                combined.operator() == SetOperator.UNION
                        || combined.operator() == SetOperator.UNION_ALL;
        List<Field> fields = new ArrayList<>();
        types.forEach(
                (name, found) -> {
                    Type type = QueryAnalyzer.commonType(combined.at(), name, found);
                    if (found.size() < 2 && !union) {
                        throw AnalysisContext.error(
                                combined.at(),
                                "Both sides of "
                                        + combined.operator()
                                        + " need a column named "
                                        + name);
                    }
                    fields.add(new Field(name, found.size() < 2 ? type.optional() : type));
                });
        return fields;
    }

    private Relation aligned(Position at, Relation rows, List<Field> fields) {
        if (rows.fields().equals(fields)) {
            return rows;
        }
        List<Typed> values = new ArrayList<>();
        List<String> names = rows.fields().stream().map(Field::name).toList();
        for (Field field : fields) {
            int index = names.indexOf(field.name());
            Typed value =
                    index < 0
                            ? new Typed.Constant(field.type(), Value.Null.NULL)
                            : new Typed.Input(rows.fields().get(index).type(), index);
            values.add(context.convert(at, value, field.type(), field.name()));
        }
        return new Relation.Project(rows, values, fields);
    }

    private Relation sorted(Relation rows, List<Query.Order> orderBy) {
        var scope = new RowScope(context, bindings, RowSource.of(rows, List.of()));
        List<SortKey> keys = new ArrayList<>();
        for (Query.Order order : orderBy) {
            QueryAnalyzer.refuseConstant(order.key());
            Typed key = scope.analyze(order.key());
            keys.add(QueryAnalyzer.sortKey(order.key().at(), key, order.descending()));
        }
        return new Relation.Sort(rows, keys);
    }
}
