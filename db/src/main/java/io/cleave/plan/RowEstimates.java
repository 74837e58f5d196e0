package io.cleave.plan;

import io.cleave.plan.KeySpans.Span;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/// Estimates the number of rows of relations. Tables provide their numbers without being read;
/// rules of thumb are used for everything above them. An estimate is empty if a table does not know
/// its number.
final class RowEstimates {
    /// One in this number of rows passes an equality.
    private static final double ROWS_PER_EQUAL = 10;

    /// One in this number of rows passes any other term.
    private static final double ROWS_PER_TERM = 3;

    /// One in this number of rows is between two bounds: a query with both bounds wants a small
    /// part.
    private static final double ROWS_PER_RANGE = 100;

    /// This number of rows share a value of a column that is not a key.
    private static final double ROWS_PER_VALUE = 10;

    /// The number of ranges whose rows are counted. The others are taken to be like them.
    private static final int MOST_SPANS = 10_000;

    private final Tables tables;
    private final KeyInference inference;

    /// By table id, because a plan asks for the same table many times.
    private final Map<Long, OptionalDouble> known = new HashMap<>();

    /// By relation identity, because a join asks for the same sides many times.
    private final IdentityHashMap<Relation, OptionalDouble> estimated = new IdentityHashMap<>();

    RowEstimates(Tables tables, KeyInference inference) {
        this.tables = tables;
        this.inference = inference;
    }

    GeneratedColumns generated() {
        return inference.columns();
    }

    KeyInference inference() {
        return inference;
    }

    OptionalDouble of(Relation relation) {
        OptionalDouble before = estimated.get(relation);
        if (before != null) {
            return before;
        }
        OptionalDouble rows = estimate(relation);
        estimated.put(relation, rows);
        return rows;
    }

    private OptionalDouble estimate(Relation relation) {
        return switch (relation) {
            case Relation.Single _ -> OptionalDouble.of(1);
            case Relation.TableRows(Table table) -> all(table);
            case Relation.IndexRows rows -> all(rows.table());
            case Relation.ListRows _ -> OptionalDouble.empty();
            case Relation.ConstantRows rows -> OptionalDouble.of(rows.rows().size());
            case Relation.Filter filter -> filtered(filter);
            case Relation.Project project -> of(project.input());
            case Relation.Join join ->
                    joined(
                            join.kind(),
                            of(join.left()),
                            of(join.right()),
                            Math.max(
                                    values(join.left(), join.leftKeys()),
                                    values(join.right(), join.rightKeys())));
            case Relation.Group group ->
                    group.keys().isEmpty() ? OptionalDouble.of(1) : of(group.input());
            case Relation.Expand expand -> times(of(expand.input()), expand.sets().size());
            case Relation.Window window -> of(window.input());
            case Relation.Flatten _ -> OptionalDouble.empty();
            case Relation.FirstOfKey first -> of(first.input());
            case Relation.Distinct(Relation input) -> of(input);
            case Relation.Sort sort -> of(sort.input());
            case Relation.Limit limit -> limited(limit);
            case Relation.Kept kept -> of(kept.input());
            case Relation.KeptRows _ -> OptionalDouble.empty();
            case Relation.Concat(List<Relation> inputs) -> {
                double sum = 0;
                for (Relation input : inputs) {
                    OptionalDouble rows = of(input);
                    if (rows.isEmpty()) {
                        yield rows;
                    }
                    sum += rows.getAsDouble();
                }
                yield OptionalDouble.of(sum);
            }
            case Relation.Compared compared -> of(compared.left());
        };
    }

    /// The number of rows that are read to get the rows of the relation. The terms of a WHERE on a
    /// table that do not restrict its key remove rows only after they were read.
    OptionalDouble read(Relation relation) {
        if (relation instanceof Relation.Filter(Relation.TableRows(Table table), Typed predicate)) {
            List<Typed> keys =
                    TableReadPlanner.terms(predicate).stream()
                            .filter(
                                    term ->
                                            !(KeyPredicates.of(table, term)
                                                    instanceof KeyPredicate.Any))
                            .toList();
            return read(table, keys);
        }
        return relation instanceof Relation.Project project ? read(project.input()) : of(relation);
    }

    /// The properties of the lookups that the join could make.
    JoinChoice.Lookups lookups(Relation.Join join, LookupSide side) {
        LookupKeys keys = side.keys();
        if (side.rest().isEmpty() || keys.whole()) {
            return new JoinChoice.Lookups(keys.fixed(), 0);
        }
        List<Typed> by = keys.equalities().stream().map(join.rightKeys()::get).toList();
        double each = read(join.right()).orElse(1) / values(join.right(), by);
        return new JoinChoice.Lookups(keys.fixed(), Math.max(1, each));
    }

    /// Rounds up, so that a fraction of a row is not shown or compared as 0.
    static long whole(double rows) {
        return rows >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(rows);
    }

    private OptionalDouble all(Table table) {
        return known.computeIfAbsent(
                table.id(),
                _ -> {
                    OptionalLong rows = tables.estimatedRows(table, KeyRange.ALL);
                    return rows.isPresent()
                            ? OptionalDouble.of((double) rows.getAsLong())
                            : OptionalDouble.empty();
                });
    }

    private static OptionalDouble times(OptionalDouble rows, double factor) {
        return rows.isPresent() ? OptionalDouble.of(rows.getAsDouble() * factor) : rows;
    }

    private OptionalDouble limited(Relation.Limit limit) {
        OptionalDouble rows = of(limit.input());
        if (limit.count().isEmpty()
                || !(limit.count().get() instanceof Typed.Constant(_, Value.Int(long count)))
                || count < 0) {
            return rows;
        }
        return OptionalDouble.of(Math.min(rows.orElse((double) count), (double) count));
    }

    /// For a WHERE on a table, the key ranges are estimated first, then the remaining terms.
    private OptionalDouble filtered(Relation.Filter filter) {
        List<Typed> terms = TableReadPlanner.terms(filter.predicate());
        return switch (filter.input()) {
            case Relation.TableRows(Table table) -> read(table, terms);
            case Relation.IndexRows rows -> {
                var columns = new IndexColumns(rows.table(), rows.indexTable());
                List<Typed> inside = columns.inside(filter.predicate());
                OptionalDouble found = read(rows.indexTable(), inside);
                yield times(found, passing(terms.size() - inside.size(), 0));
            }
            default -> times(of(filter.input()), passing(terms));
        };
    }

    private OptionalDouble read(Table table, List<Typed> terms) {
        if (terms.isEmpty()) {
            return all(table);
        }
        List<Typed> rest = new ArrayList<>();
        Set<Integer> equal = new HashSet<>();
        for (Typed term : terms) {
            switch (KeyPredicates.of(table, term)) {
                case KeyPredicate.Any _ -> rest.add(term);
                case KeyPredicate.Compare(int column, Comparison comparison, _)
                        when comparison == Comparison.EQUAL ->
                        equal.add(column);
                case KeyPredicate _ -> {}
            }
        }
        if (equal.size() == table.keyColumns().size()
                || (GeneratedColumn.isIn(table) && equal.containsAll(IndexChoice.sources(table)))) {
            return OptionalDouble.of(1);
        }
        KeyPredicate keys = KeyPredicates.inferring(table, IndexReads.and(terms), inference);
        if (!RangeText.isConstant(keys)) {
            return times(all(table), passing(terms));
        }
        OptionalLong found = rows(table, keys, tables);
        return found.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) found.getAsLong() * passing(rest));
    }

    /// The approximate number of rows with these keys; empty if the keys are known only in a run.
    static OptionalLong rows(Table table, KeyPredicate keys, Tables tables) {
        if (!RangeText.isConstant(keys)) {
            return OptionalLong.empty();
        }
        List<Type> types = table.key().stream().map(Column::type).toList();
        List<Span> spans = KeyRanges.of(types, keys, RangeText::constant).spans();
        int asked = Math.min(spans.size(), MOST_SPANS);
        long sum = 0;
        for (Span span : spans.subList(0, asked)) {
            OptionalLong rows =
                    span.point() ? OptionalLong.of(1) : tables.estimatedRows(table, span.range());
            if (rows.isEmpty()) {
                return rows;
            }
            sum += rows.getAsLong();
        }
        return OptionalLong.of(asked < spans.size() ? sum * spans.size() / asked : sum);
    }

    /// The fraction of the rows that passes the terms.
    private static double passing(List<Typed> terms) {
        int equal = 0;
        Set<Typed> lower = new HashSet<>();
        Set<Typed> upper = new HashSet<>();
        for (Typed term : terms) {
            equal += term instanceof Typed.Compare compare && isEqual(compare) ? 1 : 0;
            addBound(term, lower, upper);
        }
        lower.retainAll(upper);
        lower.removeIf(bounded -> TypedTree.inputs(bounded).isEmpty());
        int others = terms.size() - equal;
        int ranges = Math.min(lower.size(), others / 2);
        return passing(others - 2 * ranges, equal) * Math.pow(ROWS_PER_RANGE, -ranges);
    }

    /// Adds the expressions that the term gives a lower or an upper bound.
    private static void addBound(Typed term, Set<Typed> lower, Set<Typed> upper) {
        if (!(term instanceof Typed.Compare(_, Comparison comparison, Typed left, Typed right))) {
            return;
        }
        switch (comparison) {
            case EQUAL, NOT_EQUAL -> {}
            case LESS, LESS_OR_EQUAL -> {
                upper.add(left);
                lower.add(right);
            }
            case GREATER, GREATER_OR_EQUAL -> {
                lower.add(left);
                upper.add(right);
            }
        }
    }

    private static boolean isEqual(Typed.Compare compare) {
        return compare.comparison() == Comparison.EQUAL;
    }

    private static double passing(int others, int equal) {
        return Math.pow(ROWS_PER_TERM, -others) * Math.pow(ROWS_PER_EQUAL, -equal);
    }

    /// `values` is the number of distinct keys on the side that has more of them.
    static OptionalDouble joined(
            JoinKind kind, OptionalDouble left, OptionalDouble right, double values) {
        if (left.isEmpty() || right.isEmpty()) {
            return OptionalDouble.empty();
        }
        double l = left.getAsDouble();
        double r = right.getAsDouble();
        double pairs = l * r / Math.max(1, values);
        return OptionalDouble.of(
                switch (kind) {
                    case INNER -> pairs;
                    case CROSS -> l * r;
                    case LEFT -> Math.max(l, pairs);
                    case RIGHT -> Math.max(r, pairs);
                    case FULL, EXCLUSION -> l + r;
                    case LEFT_SEMI, LEFT_ONLY -> l;
                    case RIGHT_SEMI, RIGHT_ONLY -> r;
                });
    }

    /// The approximate number of distinct values of the keys in the table whose columns they are; 1
    /// if it is unknown.
    double values(Relation side, List<Typed> keys) {
        return switch (side) {
            case Relation.TableRows(Table table) -> values(table, keys);
            case Relation.IndexRows rows -> values(rows.table(), keys);
            case Relation.Filter filter -> filteredValues(filter, keys);
            case Relation.Project project -> projectedValues(project, keys);
            case Relation.Join join when join.kind() == JoinKind.INNER -> {
                int leftWidth = join.left().fields().size();
                List<Typed> left = new ArrayList<>();
                for (Typed key : keys) {
                    if (TypedTree.inputs(key).stream().allMatch(input -> input < leftWidth)) {
                        left.add(key);
                    }
                }
                yield left.isEmpty() ? 1 : values(join.left(), left);
            }
            default -> Math.max(1, of(side).orElse(1) / ROWS_PER_VALUE);
        };
    }

    /// A key column with an equality has one value. The other columns have only the values that
    /// occur together with it.
    private double filteredValues(Relation.Filter filter, List<Typed> keys) {
        if (!(filter.input() instanceof Relation.TableRows(Table table))) {
            return values(filter.input(), keys);
        }
        Set<Integer> fixed = new HashSet<>();
        List<Typed> said = new ArrayList<>();
        for (Typed term : TableReadPlanner.terms(filter.predicate())) {
            if (KeyPredicates.of(table, term)
                            instanceof KeyPredicate.Compare(int column, Comparison comparison, _)
                    && comparison == Comparison.EQUAL) {
                fixed.add(table.keyColumns().get(column));
                said.add(term);
            }
        }
        Set<Integer> free = columns(keys);
        free.removeAll(fixed);
        if (fixed.isEmpty()) {
            return values(table, keys);
        }
        if (free.isEmpty() && !columns(keys).isEmpty()) {
            return 1;
        }
        double rows = read(table, said).orElse(1);
        fixed.addAll(free);
        return fixed.containsAll(table.keyColumns()) ? rows : Math.max(1, rows / ROWS_PER_VALUE);
    }

    private double projectedValues(Relation.Project project, List<Typed> keys) {
        List<Typed> below = new ArrayList<>();
        for (Typed key : keys) {
            if (key instanceof Typed.Input(_, int field)) {
                below.add(project.values().get(field));
            }
        }
        return values(project.input(), below);
    }

    private static Set<Integer> columns(List<Typed> keys) {
        Set<Integer> columns = new HashSet<>();
        for (Typed key : keys) {
            if (key instanceof Typed.Input(_, int column)) {
                columns.add(column);
            }
        }
        return columns;
    }

    private double values(Table table, List<Typed> keys) {
        double rows = all(table).orElse(1);
        return columns(keys).containsAll(table.keyColumns())
                ? rows
                : Math.max(1, rows / ROWS_PER_VALUE);
    }
}
