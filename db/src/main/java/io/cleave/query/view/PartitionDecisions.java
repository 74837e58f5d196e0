package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.cluster.PartitionDecision;
import io.cleave.cluster.Partitioner;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The system view `.sys/partition_decisions`: the decisions about tablets, and their outcomes.
final class PartitionDecisions {
    private static final String NAME = "partition_decisions";
    private static final long TABLE_ID = -30;
    private static final int KEY_COLUMNS = 1;

    private static final List<ViewColumn<PartitionDecision>> COLUMNS =
            List.of(
                    number("Number", PartitionDecision::number),
                    time("Time", PartitionDecision::micros),
                    time("LastTime", PartitionDecision::lastMicros),
                    text("Path", PartitionDecision::path),
                    number("PathId", PartitionDecision::tableId),
                    text("Kind", PartitionDecision::kind),
                    text("Rule", PartitionDecision::rule),
                    text(
                            "TabletIds",
                            entry ->
                                    entry.tabletIds().stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(", "))),
                    text("Text", PartitionDecision::text),
                    text("Figures", entry -> String.join("; ", entry.figureTexts())),
                    text("Keys", entry -> String.join("; ", entry.keys())),
                    text("Rejected", entry -> String.join("; ", entry.rejected())),
                    text("State", entry -> entry.state().name()),
                    number("DurationMs", entry -> entry.durationMicros() / 1000),
                    text("Outcome", PartitionDecision::outcome),
                    text("Helped", entry -> entry.helped().name()),
                    text("Verdict", PartitionDecision::verdict));

    private PartitionDecisions() {}

    static SystemView of(String directory, Optional<Partitioner> partitioner) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> partitioner.map(Partitioner::decisions).orElse(List.of()));
    }
}
