package io.cleave.plan;

import io.cleave.plan.Planner.Scan;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Decides whether a scan in key order returns the rows in the order of ORDER BY.
final class ScanOrder {
    private final Set<Integer> fixed = new HashSet<>();
    private @Nullable Table table;

    private final PlanRules rules;
    private final IndexChoice indexes;

    private ScanOrder(PlanRules rules, IndexChoice indexes) {
        this.rules = rules;
        this.indexes = indexes;
    }

    /// The direction of the scan; null if the rows have to be sorted.
    static @Nullable Scan of(Relation.Sort sort, PlanRules rules, IndexChoice indexes) {
        boolean descending = sort.keys().getFirst().descending();
        var order = new ScanOrder(rules, indexes);
        int[] columns = new int[sort.keys().size()];
        for (int index = 0; index < columns.length; index++) {
            SortKey key = sort.keys().get(index);
            columns[index] = order.trace(sort.input(), key.value());
            if (columns[index] < 0 || key.descending() != descending) {
                return null;
            }
        }
        return order.isKeyPrefix(columns) ? descending ? Scan.BACKWARD : Scan.FORWARD : null;
    }

    /// Whether rows that are equal in all of `values` follow each other in a scan in key order.
    /// They do if the values are the first key columns of the table. A column may be missing if it
    /// has one value in all rows, or if it is computed from the others.
    static boolean keepsTogether(
            Relation.Sort sort,
            List<Typed> values,
            PlanRules rules,
            IndexChoice indexes,
            GeneratedColumns generated) {
        var order = new ScanOrder(rules, indexes);
        Set<Integer> given = new HashSet<>();
        for (Typed value : values) {
            if (!(value instanceof Typed.Constant)) {
                given.add(order.trace(sort.input(), unconverted(value)));
            }
        }
        Table scanned = order.table;
        if (scanned == null || given.isEmpty()) {
            return false;
        }
        Set<Integer> known = new HashSet<>(order.fixed);
        for (int column : given) {
            known.add(scanned.keyColumns().indexOf(column));
        }
        if (GeneratedColumn.isIn(scanned)) {
            for (GeneratedColumn column : generated.of(scanned)) {
                if (known.containsAll(column.sources())) {
                    known.add(column.keyColumn());
                }
            }
        }
        int prefix = 0;
        while (known.contains(prefix)) {
            prefix++;
        }
        int last = prefix;
        return given.stream()
                .map(column -> scanned.keyColumns().indexOf(column))
                .allMatch(place -> place >= 0 && place < last);
    }

    /// The column, if the expression is a column converted to a type that has all its values.
    private static Typed unconverted(Typed expression) {
        Typed inner = expression;
        while (inner instanceof Typed.Convert(Type to, Typed operand, _)
                && keepsValues(operand.type().unwrapped(), to.unwrapped())) {
            inner = operand;
        }
        return inner instanceof Typed.Input ? inner : expression;
    }

    private static boolean keepsValues(Type from, Type to) {
        return from.equals(to)
                || (from == Primitive.UTF8 && to == Primitive.STRING)
                || (from instanceof Primitive narrow
                        && to instanceof Primitive wide
                        && Ints.isInteger(wide)
                        && Ints.isInteger(narrow)
                        && Ints.holds(wide, narrow, Ints.min(narrow))
                        && Ints.holds(wide, narrow, Ints.max(narrow)));
    }

    /// The column of the scanned table that the expression is; -1 if it is none.
    private int trace(Relation relation, Typed expression) {
        if (!(expression instanceof Typed.Input(_, int index))) {
            return -1;
        }
        return switch (relation) {
            case Relation.TableRows rows -> {
                table = rows.table();
                yield index;
            }
            case Relation.IndexRows rows -> {
                table = rows.indexTable();
                yield new IndexColumns(rows.table(), rows.indexTable()).of(index);
            }
            case Relation.Filter filter -> traceFiltered(indexes.choose(filter), expression, index);
            case Relation.Project project -> trace(project.input(), project.values().get(index));
            // These joins return left rows in their order.
            case Relation.Join join when keepsLeftOrder(join.kind()) ->
                    index < join.left().fields().size() ? trace(join.left(), expression) : -1;
            // The items of a row follow each other.
            case Relation.Flatten(Relation input, _, _) ->
                    index < input.fields().size() ? trace(input, expression) : -1;
            default -> -1;
        };
    }

    /// Follows what the planner will do: it may move the predicate below a join, and choose an
    /// index for it there.
    private int traceFiltered(Relation.Filter filter, Typed expression, int index) {
        return switch (filter.input()) {
            case Relation.Join join ->
                    trace(
                            Planner.filteredJoin(join, filter.predicate(), rules).orElse(join),
                            expression);
            case Relation.TableRows rows -> {
                table = rows.table();
                addFixed(rows.table(), filter.predicate());
                yield index;
            }
            case Relation.IndexRows rows -> {
                var columns = new IndexColumns(rows.table(), rows.indexTable());
                table = rows.indexTable();
                columns.inside(filter.predicate())
                        .forEach(term -> addFixed(rows.indexTable(), term));
                yield columns.of(index);
            }
            default -> trace(filter.input(), expression);
        };
    }

    private static boolean keepsLeftOrder(JoinKind kind) {
        return switch (kind) {
            case INNER, LEFT, LEFT_SEMI, LEFT_ONLY, CROSS -> true;
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> false;
        };
    }

    /// Key columns that have one value in all rows do not affect the order.
    private void addFixed(Table scanned, Typed predicate) {
        for (Typed term : TableReadPlanner.terms(predicate)) {
            if (KeyPredicates.of(scanned, term)
                            instanceof KeyPredicate.Compare(int column, Comparison comparison, _)
                    && comparison == Comparison.EQUAL) {
                fixed.add(column);
            }
        }
    }

    private boolean isKeyPrefix(int[] columns) {
        if (table == null) {
            return false;
        }
        List<Integer> key = table.keyColumns();
        int at = 0;
        for (int column : columns) {
            while (at < key.size() && fixed.contains(at) && key.get(at) != column) {
                at++;
            }
            if (fixed.contains(key.indexOf(column))) {
                continue;
            }
            if (at >= key.size() || key.get(at) != column) {
                return false;
            }
            at++;
        }
        return true;
    }
}
