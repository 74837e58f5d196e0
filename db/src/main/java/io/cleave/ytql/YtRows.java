package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.schema.Table;
import io.cleave.schema.YtColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rows of FROM and its joins, with the names of their columns.
///
/// A column is found by its name and the alias of its table. If a table has no alias, its columns
/// have no prefix. A column of USING is one column, not two.
final class YtRows implements YtScope {
    /// @param alias the alias of its source
    /// @param value over the fields of the relation
    record Column(Optional<String> alias, String name, Typed value) {
        /// The name of the column in a result.
        String title() {
            return alias.map(prefix -> prefix + "." + name).orElse(name);
        }

        private boolean is(Optional<String> table, String column) {
            return name.equals(column) && alias.equals(table);
        }

        /// Whether the column is computed from fields of the relation, and is none of them.
        boolean isComputed() {
            return !(value instanceof Typed.Input);
        }
    }

    private final Relation relation;
    private final List<Column> columns;

    /// The fields by which the rows of the scan are ordered, most significant first.
    private final List<Integer> order;

    private final boolean joined;

    /// Columns by title. A title that two columns have is absent.
    private final Map<String, Column> unique = new HashMap<>();

    YtRows(Relation relation, List<Column> columns, List<Integer> order, boolean joined) {
        this.relation = relation;
        this.joined = joined;
        this.columns = List.copyOf(columns);
        this.order = List.copyOf(order);
        for (Column column : columns) {
            unique.merge(column.title(), column, (_, _) -> null);
        }
    }

    /// The rows of one source, whose fields are its columns.
    static YtRows of(Relation relation, Optional<String> alias, List<Integer> order) {
        List<Column> columns = new ArrayList<>();
        for (int index = 0; index < relation.fields().size(); index++) {
            Relation.Field field = relation.fields().get(index);
            Typed value = new Typed.Input(field.type(), index);
            columns.add(new Column(alias, field.name(), computed(relation, index).orElse(value)));
        }
        return new YtRows(relation, columns, order, false);
    }

    /// The expression of a computed column that is not stored.
    private static Optional<Typed> computed(Relation relation, int column) {
        Optional<Table> read =
                switch (relation) {
                    case Relation.TableRows(Table table) -> Optional.of(table);
                    case Relation.IndexRows rows -> Optional.of(rows.table());
                    default -> Optional.empty();
                };
        return read.flatMap(
                table ->
                        table.options()
                                .yt()
                                .map(yt -> yt.columns().get(table.columns().get(column).id()))
                                .filter(kept -> !kept.materialized())
                                .flatMap(YtColumn::expression)
                                .map(text -> YtExpressionTyping.of(text, relation.fields())));
    }

    /// The same columns over other rows, such as the rows of a filter.
    YtRows with(Relation other) {
        return new YtRows(other, columns, order, joined);
    }

    /// The same columns over rows with another field, the last one, which is true in all rows.
    /// Above a join it tells a row that was not found from a row of NULLs. Rows with such a field
    /// are not looked up, so only those with computed columns have it.
    YtRows marked() {
        if (columns.stream().noneMatch(Column::isComputed)) {
            return this;
        }
        List<Typed> values = new ArrayList<>();
        List<Relation.Field> fields = new ArrayList<>(relation.fields());
        for (Relation.Field field : relation.fields()) {
            values.add(new Typed.Input(field.type(), values.size()));
        }
        values.add(new Typed.Constant(Primitive.BOOL, Value.Bool.TRUE));
        fields.add(new Relation.Field("found", Primitive.BOOL));
        return with(new Relation.Project(relation, values, fields));
    }

    Relation relation() {
        return relation;
    }

    List<Column> columns() {
        return columns;
    }

    List<Integer> order() {
        return order;
    }

    boolean isJoined() {
        return joined;
    }

    /// The relation, sorted in the order of its scan. The sort costs nothing if the scan returns
    /// this order.
    Relation ordered() {
        if (order.isEmpty()) {
            return relation;
        }
        List<Relation.SortKey> keys = new ArrayList<>();
        for (int field : order) {
            keys.add(
                    new Relation.SortKey(
                            new Typed.Input(relation.fields().get(field).type(), field), false));
        }
        return new Relation.Sort(relation, keys);
    }

    @Override
    public Optional<UntypedExpression> column(YtExpression.Reference reference) {
        if (!reference.path().isEmpty() || reference.index().isPresent()) {
            throw YtExpressionTyping.error(
                            "Members of composite values are not supported; use get_any and its"
                                    + " like instead of \"%s\""
                                            .formatted(YtExpressionText.columnName(reference)))
                    .exception();
        }
        return find(reference).map(column -> UntypedExpression.of(column.value()));
    }

    Optional<Column> find(YtExpression.Reference reference) {
        Column found = unique.get(YtExpressionText.columnName(reference));
        if (found != null && found.is(reference.table(), reference.column())) {
            return Optional.of(found);
        }
        List<Column> matches =
                columns.stream()
                        .filter(column -> column.is(reference.table(), reference.column()))
                        .toList();
        if (matches.size() > 1) {
            throw YtExpressionTyping.error(
                            "Ambiguous resolution for column \"%s\""
                                    .formatted(YtExpressionText.columnName(reference)))
                    .exception();
        }
        return matches.stream().findFirst();
    }

    @Override
    public boolean columnsFirst() {
        return false;
    }

    @Override
    public UntypedExpression aggregate(YtExpression.Call call, Arguments arguments) {
        throw YtExpressionTyping.misuse(call);
    }
}
