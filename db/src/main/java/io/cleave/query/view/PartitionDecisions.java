package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.control.TabletBalancer;
import io.cleave.control.TabletDecision;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The system view `.sys/partition_decisions`: the decisions about tablets, and their outcomes.
/// They are read as the query needs them.
final class PartitionDecisions implements SystemView {
    private static final String NAME = "partition_decisions";
    private static final long TABLE_ID = -30;
    private static final int KEY_COLUMNS = 1;

    private static final List<ViewColumn<TabletDecision>> COLUMNS =
            List.of(
                    number("Number", TabletDecision::number),
                    time("Time", TabletDecision::micros),
                    time("LastTime", TabletDecision::lastMicros),
                    text("Path", TabletDecision::path),
                    number("PathId", TabletDecision::tableId),
                    text("Kind", TabletDecision::kind),
                    text("Rule", TabletDecision::rule),
                    text(
                            "TabletIds",
                            entry ->
                                    entry.tabletIds().stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(", "))),
                    text("Text", TabletDecision::text),
                    text("Figures", entry -> String.join("; ", entry.figureTexts())),
                    text("Keys", entry -> String.join("; ", entry.keys())),
                    text("Rejected", entry -> String.join("; ", entry.rejected())),
                    text("State", entry -> entry.state().name()),
                    number("DurationMs", entry -> entry.durationMicros() / 1000),
                    text("Outcome", TabletDecision::outcome),
                    text("Helped", entry -> entry.helped().name()),
                    text("Verdict", TabletDecision::verdict),
                    text("ActionId", TabletDecision::action));

    private final Optional<TabletBalancer> balancer;
    private final List<ViewColumn<TabletDecision>> columns;
    private final Table table;

    PartitionDecisions(String directory, Optional<TabletBalancer> balancer) {
        this.balancer = balancer;
        List<ViewColumn<TabletDecision>> all = new ArrayList<>(COLUMNS);
        all.add(
                time(
                        "CompleteSince",
                        _ -> balancer.map(TabletBalancer::decisionsSinceMicros).orElse(0L)));
        columns = List.copyOf(all);
        table = ViewColumn.table(TABLE_ID, directory + "/" + NAME, columns, KEY_COLUMNS);
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public Iterator<Value[]> rows(KeyRange range, Direction direction) {
        if (balancer.isEmpty()) {
            return Collections.emptyIterator();
        }
        Bytes after = range.to();
        long to = after == null ? Long.MAX_VALUE : firstFrom(after);
        Iterator<TabletDecision> decisions =
                balancer.get().decisions(firstFrom(range.from()), to, direction);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return decisions.hasNext();
            }

            @Override
            public Value[] next() {
                return ViewColumn.row(columns, decisions.next());
            }
        };
    }

    private static Bytes key(long number) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(number));
    }

    /// The least number whose key is not below this one; the greatest number if there is none.
    private static long firstFrom(Bytes key) {
        long least = 0;
        long most = Long.MAX_VALUE;
        while (least < most) {
            long middle = least + (most - least) / 2;
            if (key(middle).compareTo(key) >= 0) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return least;
    }
}
