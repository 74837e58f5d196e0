package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.control.TabletBalancer;
import io.cleave.control.TabletDecision;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The system view `.sys/partition_decisions`: the decisions about tablets, and their outcomes.
final class PartitionDecisions {
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
                    text("Verdict", TabletDecision::verdict));

    private PartitionDecisions() {}

    static SystemView of(String directory, Optional<TabletBalancer> balancer) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> balancer.map(TabletBalancer::decisions).orElse(List.of()));
    }
}
