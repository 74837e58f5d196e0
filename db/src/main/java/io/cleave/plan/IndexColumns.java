package io.cleave.plan;

import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.schema.Table;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;

/// Where the columns of a table stand in the table of one of its indexes.
final class IndexColumns {
    private final int[] places;

    IndexColumns(Table table, Table indexTable) {
        places =
                table.columns().stream()
                        .mapToInt(column -> indexTable.indexOf(column.name()))
                        .toArray();
    }

    /// The column's place in the index's table, or -1.
    int of(int column) {
        return places[column];
    }

    /// Whether the index's table has all that the expression reads.
    boolean cover(Typed expression) {
        return TypedTree.inputs(expression).stream().allMatch(column -> places[column] >= 0);
    }

    /// An expression over the table's row as one over the index's, which has all it reads.
    Typed map(Typed expression) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int column)
                                ? new Typed.Input(type, places[column])
                                : part);
    }

    /// The parts of a WHERE that the index's table can answer, over its row.
    List<Typed> inside(Typed predicate) {
        return split(predicate, true).stream().map(this::map).toList();
    }

    /// The others, over the table's row.
    List<Typed> outside(Typed predicate) {
        return split(predicate, false);
    }

    /// A part that may not be moved stays behind those before it.
    private List<Typed> split(Typed predicate, boolean wanted) {
        List<Typed> parts = new ArrayList<>();
        boolean all = true;
        for (Typed term : TableReads.terms(predicate)) {
            boolean inside = cover(term) && (all || Nodes.isMovable(term));
            all &= inside;
            if (inside == wanted) {
                parts.add(term);
            }
        }
        return parts;
    }
}
