package io.cleave.plan;

import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.value.Type;

import java.util.List;

/// A node and where the fields of its relation are in its rows; -1 for those nobody needs.
final class Planned {
    private final Node node;
    private final int[] places;

    Planned(Node node, int[] places) {
        this.node = node;
        this.places = places;
    }

    Node node() {
        return node;
    }

    int[] places() {
        return places;
    }

    /// An expression over the relation's fields as one over the node's row.
    Typed place(Typed expression) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, places[index])
                                : part);
    }

    List<Typed> place(List<Typed> expressions) {
        return expressions.stream().map(this::place).toList();
    }
}
