package io.cleave.plan;

import io.cleave.plan.Planner.Scan;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Plans relations that add columns before or after the columns of their input: windows, FLATTEN
/// BY, grouping sets.
final class AddedColumns {
    private final Planner planner;

    AddedColumns(Planner planner) {
        this.planner = planner;
    }

    /// Calls whose results are not needed are left out. If no call remains, the sort is left out,
    /// too.
    Planned window(Relation.Window window, BitSet needed) {
        int width = window.input().fields().size();
        List<WindowCall> calls = new ArrayList<>();
        List<Typed> read = new ArrayList<>(window.partition());
        window.order().forEach(key -> read.add(key.value()));
        int[] numbers = new int[window.calls().size()];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = -1;
            if (needed.get(width + index)) {
                numbers[index] = calls.size();
                calls.add(window.calls().get(index));
                read.addAll(window.calls().get(index).arguments());
            }
        }
        if (calls.isEmpty()) {
            Relation rows =
                    window.input() instanceof Relation.Sort sort ? sort.input() : window.input();
            Planned input = planner.plan(rows, needed, Scan.FORWARD);
            return new Planned(input.node(), behind(input, numbers));
        }
        BitSet below = Planner.with(needed.get(0, width), read);
        Planned input = planner.plan(window.input(), below, Scan.FORWARD);
        PlanNode node =
                new PlanNode.Window(
                        input.node(),
                        input.place(window.partition()),
                        window.order().stream().map(SortKey::value).map(input::place).toList(),
                        calls.stream()
                                .map(call -> call.withArguments(input.place(call.arguments())))
                                .toList());
        return new Planned(node, behind(input, numbers));
    }

    /// The places of the input's fields, followed by the places of the added fields. `numbers` has
    /// the index of each added field, or -1 if it is left out.
    private static int[] behind(Planned input, int[] numbers) {
        int width = input.places().length;
        int[] places = Arrays.copyOf(input.places(), width + numbers.length);
        for (int index = 0; index < numbers.length; index++) {
            places[width + index] = numbers[index] < 0 ? -1 : input.node().width() + numbers[index];
        }
        return places;
    }

    /// All containers are kept, needed or not, because an empty one removes its row.
    Planned flatten(Relation.Flatten flatten, BitSet needed) {
        int width = flatten.input().fields().size();
        BitSet below = Planner.with(needed.get(0, width), flatten.containers());
        Planned input = planner.plan(flatten.input(), below, Scan.FORWARD);
        PlanNode node = new PlanNode.Flatten(input.node(), input.place(flatten.containers()));
        int[] numbers = new int[flatten.containers().size()];
        Arrays.setAll(numbers, index -> index);
        return new Planned(node, behind(input, numbers));
    }

    Planned expand(Relation.Expand expand, BitSet needed) {
        int added = expand.keys().size() + 1;
        BitSet rest = needed.get(added, Math.max(added, needed.length()));
        Planned input =
                planner.plan(expand.input(), Planner.with(rest, expand.keys()), Scan.FORWARD);
        int[] places = new int[expand.fields().size()];
        for (int index = 0; index < places.length; index++) {
            int below = index < added ? 0 : input.places()[index - added];
            places[index] = index < added ? index : below < 0 ? -1 : below + added;
        }
        return new Planned(
                new PlanNode.Expand(input.node(), input.place(expand.keys()), expand.sets()),
                places);
    }

    Planned firstOfKey(Relation.FirstOfKey first, BitSet needed, Scan scan) {
        Planned input = planner.plan(first.input(), Planner.with(needed, first.keys()), scan);
        return new Planned(
                new PlanNode.FirstOfKey(input.node(), input.place(first.keys())), input.places());
    }
}
