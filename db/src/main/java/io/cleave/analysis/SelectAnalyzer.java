package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Errors;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.yql.Expression;
import io.cleave.yql.Query;
import io.cleave.yql.Query.Item;
import io.cleave.yql.Query.Select;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// SELECT. The clauses are processed in the order FROM, WHERE, GROUP BY, HAVING, SELECT list,
/// DISTINCT, ORDER BY, LIMIT. Values that only ORDER BY needs are added as hidden columns and
/// dropped at the end.
final class SelectAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    /// The window function calls in the list and ORDER BY of the current SELECT.
    private Windows windows = new Windows(List.of());

    SelectAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    /// A column of the result. `implied` means that the name is that of the selected column, from
    /// `source`.
    private record Output(
            String name, Typed value, boolean implied, Optional<String> source, Position at) {
        boolean isNamed(Query.WithoutColumn column) {
            return name.equals(column.text())
                    || (implied && name.equals(column.name()) && source.equals(column.source()));
        }

        Output named(String other) {
            return new Output(other, value, false, source, at);
        }
    }

    Relation analyze(Select select) {
        windows = new Windows(select.windows());
        RowSource source =
                select.from()
                        .map(from -> new SourceAnalyzer(context, bindings).analyze(from))
                        .orElseGet(() -> new RowSource(new Relation.Single(), List.of()));
        var rowScope = new RowScope(context, bindings, source);
        Relation rows = source.relation();
        if (select.where().isPresent()) {
            Expression where = select.where().get();
            Typed predicate =
                    new WhereScope(rowScope, GroupingSets.keys(select.groupBy())).analyze(where);
            rows = new Relation.Filter(rows, RowSource.predicate(where.at(), "WHERE", predicate));
        }
        Optional<HoppingWindows> hops = HoppingWindows.of(rowScope, rows, select.groupBy());
        if (hops.isPresent()) {
            var scope = new RowScope(context, bindings, hops.get().source());
            return grouped(
                    select, hops.get().source().relation(), GroupScope.ofHops(scope, hops.get()));
        }
        Optional<SessionWindows> sessions = SessionWindows.of(rowScope, rows, select.groupBy());
        if (sessions.isPresent()) {
            var scope = new RowScope(context, bindings, sessions.get().source());
            return grouped(
                    select,
                    sessions.get().source().relation(),
                    new GroupScope(scope, sessions.get().groupBy()));
        }
        if (!select.groupBy().isEmpty() || hasAggregates(select)) {
            return grouped(select, rows, new GroupScope(rowScope, select.groupBy()));
        }
        if (select.having().isPresent()) {
            throw AnalysisContext.error(
                    select.having().get().at(),
                    "HAVING with meaning GROUP BY () should be with aggregation function.");
        }
        rowScope.allow(windows);
        List<Output> outputs = outputs(select, rowScope, Optional.of(source));
        return project(select, rows, outputs, sortKeys(select, outputs, rowScope), rowScope);
    }

    private static boolean hasAggregates(Select select) {
        for (Item item : select.items()) {
            if (item instanceof Item.Column(Expression value, _) && AggregateFinder.in(value)) {
                return true;
            }
        }
        return select.having().filter(AggregateFinder::in).isPresent()
                || select.windows().stream().anyMatch(named -> AggregateFinder.in(named.window()))
                || select.orderBy().stream().anyMatch(order -> AggregateFinder.in(order.key()));
    }

    private Relation grouped(Select select, Relation rows, GroupScope scope) {
        scope.allow(windows);
        List<Output> outputs = outputs(select, scope, Optional.empty());
        scope.allow(null);
        Optional<Typed> having =
                select.having()
                        .map(
                                predicate ->
                                        RowSource.predicate(
                                                predicate.at(),
                                                "HAVING",
                                                scope.analyze(predicate)));
        scope.allow(windows);
        List<Hidden> sortKeys = sortKeys(select, outputs, scope);
        Relation groups = scope.relation(rows);
        Relation kept =
                having.<Relation>map(predicate -> new Relation.Filter(groups, predicate))
                        .orElse(groups);
        return project(select, kept, outputs, sortKeys, scope);
    }

    private List<Output> outputs(Select select, BaseScope scope, Optional<RowSource> source) {
        List<Output> outputs = new ArrayList<>();
        var mistakes = new Mistakes(context);
        for (int index = 0; index < select.items().size(); index++) {
            int place = index;
            mistakes.lookAt(() -> outputs.addAll(output(select, place, scope, source)));
        }
        mistakes.report();
        select.without().ifPresent(without -> remove(without, outputs, source));
        boolean prefixed =
                !scope.dialect().has(Dialect.Option.SIMPLE_COLUMNS)
                        && source.filter(SelectAnalyzer::isJoined).isPresent();
        List<Output> named = unique(outputs, prefixed);
        return inOrder(select, scope) ? named : byName(named);
    }

    /// The columns that one item of the list produces.
    private static List<Output> output(
            Select select, int index, BaseScope scope, Optional<RowSource> source) {
        switch (select.items().get(index)) {
            case Item.Star star -> {
                if (star.source().isEmpty() && select.items().size() > 1) {
                    throw AnalysisContext.error(
                            star.at(),
                            "Unable to use plain '*' with other projection items. Please use"
                                    + " qualified asterisk instead: '<table>.*' (<table> can"
                                    + " be either table name or table alias).");
                }
                return star(select, star, scope, source);
            }
            case Item.Column(Expression value, Optional<String> alias) -> {
                Typed typed = scope.analyze(value);
                Optional<String> own = QueryAnalyzer.ownName(value);
                boolean implied = alias.isEmpty() && own.isPresent();
                Optional<String> from =
                        implied && value instanceof Expression.ColumnName column
                                ? column.source()
                                : Optional.empty();
                String name = alias.or(() -> own).orElse("column" + index);
                return List.of(new Output(name, typed, implied, from, value.at()));
            }
        }
    }

    /// Whether the columns stay in the written order. By default this holds only for a list without
    /// `*`.
    private static boolean inOrder(Select select, BaseScope scope) {
        return scope.dialect().has(Dialect.Option.ORDERED_COLUMNS)
                || select.items().stream().noneMatch(Item.Star.class::isInstance);
    }

    /// Sorts the columns by name as YDB does, where a row is a struct with sorted members.
    private static List<Output> byName(List<Output> outputs) {
        return outputs.stream().sorted(Comparator.comparing(Output::name)).toList();
    }

    /// Removes the columns named in WITHOUT. The second of two columns that a join merges is a
    /// known name, although no output has it.
    private static void remove(
            Query.Without without, List<Output> outputs, Optional<RowSource> source) {
        for (Query.WithoutColumn column : without.columns()) {
            boolean removed = outputs.removeIf(output -> output.isNamed(column));
            boolean known =
                    removed
                            || source.filter(
                                            rows ->
                                                    !rows.matches(column.source(), column.name())
                                                            .isEmpty())
                                    .isPresent();
            if (!known && !without.ifExists()) {
                throw Errors.type(column.at(), "Member not found: " + column.text());
            }
        }
    }

    private static List<Output> star(
            Select select, Item.Star star, BaseScope scope, Optional<RowSource> source) {
        if (scope instanceof GroupScope groups) {
            List<Output> keys = new ArrayList<>();
            for (int index = 0; index < groups.keyCount(); index++) {
                String name = groups.keyName(index).orElse("group" + index);
                keys.add(new Output(name, groups.input(index), true, Optional.empty(), star.at()));
            }
            return keys;
        }
        RowSource rows = source.orElseThrow();
        if (rows.relation() instanceof Relation.Single) {
            throw AnalysisContext.error(star.at(), "Select list contains * without FROM");
        }
        List<Output> outputs = new ArrayList<>();
        boolean merges = mergesKeys(select, scope);
        for (int index = 0; index < rows.columns().size(); index++) {
            RowSource.Named column = rows.columns().get(index);
            if (star.source().isPresent()) {
                int shown = merges ? firstShown(select, rows, index) : index;
                if (column.belongsTo(star.source().get()) && shown == index) {
                    Typed value =
                            merges && !isReduced(select, rows, index)
                                    ? rows.merged(star.at(), rows.first(index))
                                    : rows.input(index);
                    outputs.add(new Output(column.name(), value, true, star.source(), star.at()));
                }
                continue;
            }
            boolean simple = scope.dialect().has(Dialect.Option.SIMPLE_COLUMNS);
            if (column.twin() >= 0 && simple) {
                continue;
            }
            Typed value = simple ? rows.merged(star.at(), index) : rows.input(index);
            Optional<String> from = column.sources().stream().findFirst();
            outputs.add(new Output(column.name(), value, true, from, star.at()));
        }
        if (outputs.isEmpty() && star.source().isPresent()) {
            throw AnalysisContext.error(
                    star.at(), "Unknown correlation name: " + star.source().get());
        }
        return outputs;
    }

    /// Whether join keys that both `a.*` and `b.*` contain are merged into one column.
    private static boolean mergesKeys(Select select, BaseScope scope) {
        return scope.dialect().has(Dialect.Option.SIMPLE_COLUMNS)
                && (scope.dialect().has(Dialect.Option.MERGED_KEYS) || stars(select).size() > 1);
    }

    private static Set<String> stars(Select select) {
        Set<String> sources = new HashSet<>();
        for (Item item : select.items()) {
            if (item instanceof Item.Star(_, Optional<String> source)) {
                source.ifPresent(sources::add);
            }
        }
        return sources;
    }

    /// The column that represents this column and its twins in the result.
    private static int firstShown(Select select, RowSource rows, int index) {
        Set<String> stars = stars(select);
        for (int other = rows.first(index); other < index; other++) {
            boolean shown = rows.columns().get(other).sources().stream().anyMatch(stars::contains);
            if (rows.first(other) == rows.first(index)
                    && shown
                    && !isLeftOut(select, rows, other)) {
                return other;
            }
        }
        return index;
    }

    /// Whether WITHOUT removes the column or one of its twins.
    private static boolean isReduced(Select select, RowSource rows, int index) {
        for (int other = rows.first(index); other < rows.columns().size(); other++) {
            if (rows.first(other) == rows.first(index) && isLeftOut(select, rows, other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLeftOut(Select select, RowSource rows, int index) {
        RowSource.Named column = rows.columns().get(index);
        return select.without().stream()
                .flatMap(without -> without.columns().stream())
                .anyMatch(
                        left ->
                                left.name().equals(column.name())
                                        && left.source().filter(column::belongsTo).isPresent());
    }

    /// Whether the columns come from several sources.
    private static boolean isJoined(RowSource source) {
        return source.columns().stream().map(RowSource.Named::sources).distinct().count() > 1;
    }

    /// Columns of several sources with the same name are renamed to `a.x` and `b.x`. With
    /// `prefixed` all columns get the name of their source.
    private static List<Output> unique(List<Output> outputs, boolean prefixed) {
        Set<String> twice = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (Output output : outputs) {
            if (!seen.add(output.name())) {
                twice.add(output.name());
            }
        }
        List<Output> named = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Output output : outputs) {
            Output renamed =
                    (prefixed || twice.contains(output.name()))
                                    && output.implied()
                                    && output.source().isPresent()
                            ? output.named(output.source().get() + "." + output.name())
                            : output;
            if (!names.add(renamed.name())) {
                throw Errors.type(renamed.at(), "Duplicated member: " + renamed.name());
            }
            named.add(renamed);
        }
        return named;
    }

    /// A key of ORDER BY. `output` is the index of a column in the list, or -1 if `value` has to be
    /// added as a hidden column.
    private record Hidden(int output, Typed value, boolean descending, Position at) {}

    private List<Hidden> sortKeys(Select select, List<Output> outputs, BaseScope scope) {
        List<Hidden> keys = new ArrayList<>();
        for (Query.Order order : select.orderBy()) {
            Position at = order.key().at();
            QueryAnalyzer.refuseConstant(order.key());
            int output = outputNamed(order.key(), outputs);
            if (output >= 0) {
                keys.add(new Hidden(output, outputs.get(output).value(), order.descending(), at));
                continue;
            }
            Typed value = new OrderScope(scope, outputValues(outputs)).analyze(order.key());
            int same = outputs.stream().map(Output::value).toList().indexOf(value);
            if (select.distinct() && same < 0) {
                throw AnalysisContext.error(
                        at, "ORDER BY of SELECT DISTINCT may only name columns of the list");
            }
            keys.add(new Hidden(same, value, order.descending(), at));
        }
        return keys;
    }

    private static int outputNamed(Expression key, List<Output> outputs) {
        if (key instanceof Expression.ColumnName(_, Optional<String> source, String name)) {
            String full = source.map(from -> from + "." + name).orElse(name);
            for (int index = 0; index < outputs.size(); index++) {
                Output output = outputs.get(index);
                boolean qualified =
                        source.isPresent()
                                && output.implied()
                                && output.source().equals(source)
                                && output.name().equals(name);
                if (output.name().equals(full) || qualified) {
                    return index;
                }
            }
        }
        return -1;
    }

    private static java.util.Map<String, Typed> outputValues(List<Output> outputs) {
        var values = new java.util.HashMap<String, Typed>();
        outputs.forEach(output -> values.put(output.name(), output.value()));
        return values;
    }

    private Relation project(
            Select select,
            Relation rows,
            List<Output> outputs,
            List<Hidden> sortKeys,
            BaseScope scope) {
        int width = rows.fields().size();
        List<Typed> values = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        for (Output output : outputs) {
            values.add(windows.placed(output.value(), width));
            fields.add(new Field(output.name(), output.value().type()));
        }
        List<SortKey> order = new ArrayList<>();
        for (Hidden key : sortKeys) {
            int index = key.output();
            if (index < 0) {
                index = values.size();
                values.add(windows.placed(key.value(), width));
                fields.add(new Field("order" + index, key.value().type()));
            }
            Typed input = new Typed.Input(key.value().type(), index);
            order.add(QueryAnalyzer.sortKey(key.at(), input, key.descending()));
        }
        Relation result = new Relation.Project(windows.relation(rows), values, fields);
        if (select.distinct()) {
            fields.forEach(f -> Predicates.requireHashable(select.at(), f.name(), f.type()));
            result = new Relation.Distinct(result);
        }
        if (!order.isEmpty()) {
            result = new Relation.Sort(result, order);
        }
        var constants = new BaseScope(scope.context, scope.bindings);
        result = QueryAnalyzer.limited(result, select.limit(), constants);
        return values.size() == outputs.size() ? result : firstColumns(result, outputs.size());
    }

    private static Relation firstColumns(Relation rows, int count) {
        List<Field> fields = rows.fields().subList(0, count);
        List<Typed> values = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            values.add(new Typed.Input(fields.get(index).type(), index));
        }
        return new Relation.Project(rows, values, fields);
    }
}
