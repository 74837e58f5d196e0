package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows extended with the items of their containers, one row for each combination of items. The
/// items of the last container change fastest.
final class FlattenRows implements Rows {
    private final Rows rows;
    private final Evaluation[] containers;
    private final Running run;
    private final Value[] flattened;
    private final int width;
    private final List<List<Value>> items = new ArrayList<>();
    private final int[] places;
    private boolean exhausted = true;

    private FlattenRows(Rows rows, Evaluation[] containers, int width, Running run) {
        this.rows = rows;
        this.containers = containers;
        this.run = run;
        this.width = width;
        this.flattened = new Value[width + containers.length];
        this.places = new int[containers.length];
    }

    static Operator of(PlanNode.Flatten node) {
        Operator input = Operators.of(node.input());
        Evaluation[] containers = Operators.compile(node.containers());
        int width = node.input().width();
        return run -> new FlattenRows(input.open(run), containers, width, run);
    }

    @Override
    public Value @Nullable [] next() {
        run.checkpoint().pass();
        if (exhausted && !nextRow()) {
            return null;
        }
        for (int index = 0; index < places.length; index++) {
            flattened[width + index] = items.get(index).get(places[index]);
        }
        advance();
        return flattened;
    }

    /// Moves to the next row whose containers are all non-empty.
    private boolean nextRow() {
        for (Value[] row = rows.next(); row != null; row = rows.next()) {
            run.checkpoint().pass();
            items.clear();
            boolean empty = false;
            for (Evaluation container : containers) {
                List<Value> found = items(container.eval(row, run.context()));
                items.add(found);
                empty |= found.isEmpty();
            }
            if (!empty) {
                System.arraycopy(row, 0, flattened, 0, width);
                Arrays.fill(places, 0);
                exhausted = false;
                return true;
            }
        }
        return false;
    }

    private static List<Value> items(Value container) {
        return switch (container) {
            case Value.Items(List<Value> found) -> found;
            case Value.Pairs(List<Value.Pair> pairs) ->
                    pairs.stream()
                            .map(pair -> Value.items(List.of(pair.key(), pair.payload())))
                            .toList();
            default -> List.of();
        };
    }

    private void advance() {
        for (int index = places.length - 1; index >= 0; index--) {
            if (++places[index] < items.get(index).size()) {
                return;
            }
            places[index] = 0;
        }
        exhausted = true;
    }

    @Override
    public void close() {
        rows.close();
    }
}
