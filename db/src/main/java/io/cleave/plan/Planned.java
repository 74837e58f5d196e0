package io.cleave.plan;

import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;

import java.util.List;

/// A node, and the place in its rows of each field of its relation; -1 for fields that are not
/// needed.
final class Planned {
    private final PlanNode node;
    private final int[] places;

    Planned(PlanNode node, int[] places) {
        this.node = node;
        this.places = places;
    }

    PlanNode node() {
        return node;
    }

    int[] places() {
        return places;
    }

    /// Rewrites an expression over the relation's fields to one over the node's row.
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
