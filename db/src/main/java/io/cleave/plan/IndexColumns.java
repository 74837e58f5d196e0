package io.cleave.plan;

import io.cleave.schema.Table;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;

/// Maps the columns of a table to the columns of the table that stores one of its indexes.
final class IndexColumns {
    private final int[] places;

    IndexColumns(Table table, Table indexTable) {
        places =
                table.columns().stream()
                        .mapToInt(column -> indexTable.indexOf(column.name()))
                        .toArray();
    }

    /// The column's place in the index's table; -1 if the index does not have it.
    int of(int column) {
        return places[column];
    }

    /// Whether the index's table has all columns that the expression reads.
    boolean cover(Typed expression) {
        return TypedTree.inputs(expression).stream().allMatch(column -> places[column] >= 0);
    }

    /// Rewrites an expression over the table's row to one over the index's row. The index must have
    /// all columns that the expression reads.
    Typed map(Typed expression) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int column)
                                ? new Typed.Input(type, places[column])
                                : part);
    }

    /// The terms of a WHERE that the index's table can answer, over the index's row.
    List<Typed> inside(Typed predicate) {
        return split(predicate, true).stream().map(this::map).toList();
    }

    /// The terms of a WHERE that the index's table cannot answer, over the table's row.
    List<Typed> outside(Typed predicate) {
        return split(predicate, false);
    }

    /// A term that must not be moved stays after the terms before it: the index answers it only if
    /// it answers all of them.
    private List<Typed> split(Typed predicate, boolean wanted) {
        List<Typed> parts = new ArrayList<>();
        boolean all = true;
        for (Typed term : TableReadPlanner.terms(predicate)) {
            boolean inside = cover(term) && (all || Nodes.isMovable(term));
            all &= inside;
            if (inside == wanted) {
                parts.add(term);
            }
        }
        return parts;
    }
}
