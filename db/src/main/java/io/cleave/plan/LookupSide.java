package io.cleave.plan;

import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The right side of a join whose rows can be looked up: the rows of a table, or of one of its
/// indexes, with a choice of columns and a WHERE.
///
/// @param rows the rows that are looked up: [Relation.TableRows] or [Relation.IndexRows]
/// @param columns the column of the table for each field of the side
/// @param inside the terms of the WHERE, over the row of the table that is looked up
/// @param outside the terms that an index cannot answer, over the row of its table
/// @param keys the keys of the lookup
/// @param rest the equalities of the join that the keys do not answer
record LookupSide(
        Relation rows,
        List<Integer> columns,
        List<Typed> inside,
        List<Typed> outside,
        LookupKeys keys,
        List<Integer> rest) {
    LookupSide {
        columns = List.copyOf(columns);
        inside = List.copyOf(inside);
        outside = List.copyOf(outside);
        rest = List.copyOf(rest);
    }

    /// Empty if the rows of the right side cannot be looked up.
    static Optional<LookupSide> of(Relation.Join join, GeneratedColumns generated) {
        switch (join.kind()) {
            case INNER, LEFT, LEFT_SEMI, LEFT_ONLY -> {}
            case RIGHT, FULL, CROSS, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> {
                return Optional.empty();
            }
        }
        List<Typed> terms = new ArrayList<>();
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, join.right().fields().size()).boxed().toList());
        Relation rows = join.right();
        while (!(rows instanceof Relation.TableRows) && !(rows instanceof Relation.IndexRows)) {
            if (rows instanceof Relation.Filter(Relation input, Typed predicate)) {
                terms.addAll(TableReadPlanner.terms(predicate));
                rows = input;
            } else if (rows instanceof Relation.Project project && isChoice(project)) {
                columns.replaceAll(column -> ((Typed.Input) project.values().get(column)).index());
                terms.replaceAll(term -> mapped(term, project));
                rows = project.input();
            } else {
                return Optional.empty();
            }
        }
        if (!terms.stream().allMatch(Nodes::isMovable)) {
            return Optional.empty();
        }
        List<Typed> rightKeys = join.rightKeys().stream().map(key -> mapped(key, columns)).toList();
        return rows instanceof Relation.IndexRows index
                ? ofIndex(join, index, columns, terms, rightKeys, generated)
                : of(
                        join,
                        rows,
                        ((Relation.TableRows) rows).table(),
                        columns,
                        terms,
                        List.of(),
                        rightKeys,
                        generated);
    }

    /// Whether the projection only chooses columns.
    static boolean isChoice(Relation.Project project) {
        return project.values().stream().allMatch(value -> value instanceof Typed.Input);
    }

    /// Rewrites an expression over the fields of such a projection to one over the rows below it.
    static Typed mapped(Typed expression, Relation.Project project) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(_, int index)
                                ? project.values().get(index)
                                : part);
    }

    private static Typed mapped(Typed expression, List<Integer> columns) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, columns.get(index))
                                : part);
    }

    /// The columns that the index does not have are found by a second lookup, and terms over them
    /// are evaluated after it. The left row is then already joined, so only an INNER join can leave
    /// it out.
    private static Optional<LookupSide> ofIndex(
            Relation.Join join,
            Relation.IndexRows rows,
            List<Integer> columns,
            List<Typed> terms,
            List<Typed> rightKeys,
            GeneratedColumns generated) {
        if (join.nullsMatch()) {
            return Optional.empty();
        }
        var places = new IndexColumns(rows.table(), rows.indexTable());
        List<Typed> inside = terms.stream().filter(places::cover).map(places::map).toList();
        List<Typed> outside = terms.stream().filter(term -> !places.cover(term)).toList();
        if (!rightKeys.stream().allMatch(places::cover)
                || (!outside.isEmpty() && join.kind() != JoinKind.INNER)) {
            return Optional.empty();
        }
        return of(
                join,
                rows,
                rows.indexTable(),
                columns,
                inside,
                outside,
                rightKeys.stream().map(places::map).toList(),
                generated);
    }

    private static Optional<LookupSide> of(
            Relation.Join join,
            Relation rows,
            Table table,
            List<Integer> columns,
            List<Typed> inside,
            List<Typed> outside,
            List<Typed> rightKeys,
            GeneratedColumns generated) {
        var onTable =
                new Relation.Join(
                        join.kind(),
                        join.left(),
                        new Relation.TableRows(table),
                        join.leftKeys(),
                        rightKeys,
                        join.nullsMatch());
        Optional<LookupKeys> found = LookupKeys.of(onTable, table, inside, generated);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        LookupKeys keys = found.get();
        List<Integer> rest =
                IntStream.range(0, rightKeys.size())
                        .filter(equality -> !keys.equalities().contains(equality))
                        .boxed()
                        .toList();
        // A condition that is checked after the lookup can only remove rows.
        boolean restIsFilter =
                join.kind() == JoinKind.INNER
                        && rest.stream()
                                .allMatch(
                                        equality ->
                                                CrossJoins.isKey(join.leftKeys().get(equality))
                                                        && CrossJoins.isKey(
                                                                join.rightKeys().get(equality)));
        return rest.isEmpty() || restIsFilter
                ? Optional.of(new LookupSide(rows, columns, inside, outside, keys, rest))
                : Optional.empty();
    }

    /// Rewrites an expression over the side's fields to one over the columns of the table.
    Typed mapped(Typed expression) {
        return mapped(expression, columns);
    }

    /// The terms of the WHERE that have to be checked for the rows that are found.
    List<Typed> filter() {
        return inside.stream().filter(term -> !keys.terms().contains(term)).toList();
    }

    /// Whether the index is ASYNC. Such an index may have an entry whose row does not exist; a
    /// second lookup would then drop the left row.
    boolean isAsync() {
        return rows instanceof Relation.IndexRows index && index.index().kind() == Index.Kind.ASYNC;
    }
}
