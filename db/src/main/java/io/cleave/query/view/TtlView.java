package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.known;
import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.span;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.ttl.TtlRuns;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// The system view `.sys/ttl`: one row for each table whose rows expire, with the figures of the
/// current or the last TTL run.
final class TtlView {
    private static final String NAME = "ttl";

    private static final long TABLE_ID = -20;
    private static final int KEY_COLUMNS = 1;
    private static final long SECOND_MICROS = 1_000_000;

    private static final List<ViewColumn<TtlRuns.Info>> COLUMNS =
            List.of(
                    text("Path", info -> info.table().path()),
                    number("PathId", info -> info.table().id()),
                    text("ColumnName", info -> info.ttl().column()),
                    span("ExpireAfter", info -> info.ttl().expireAfterSeconds() * SECOND_MICROS),
                    span("RunInterval", TtlRuns.Info::runIntervalMicros),
                    text("State", info -> info.state().name()),
                    time("LastRunTime", TtlRuns.Info::lastRunMicros),
                    span("LastRunDuration", TtlRuns.Info::lastDurationMicros),
                    number("RowsProcessed", TtlRuns.Info::processed),
                    number("RowsErased", TtlRuns.Info::erased),
                    number("RowsErasedByFile", TtlRuns.Info::dropped),
                    number("TotalRowsErased", TtlRuns.Info::totalErased),
                    time("NextRunTime", TtlRuns.Info::nextRunMicros),
                    known("BacklogRows", TtlRuns.Info::backlogRows),
                    new ViewColumn<>(
                            "LastError",
                            Primitive.UTF8,
                            info ->
                                    info.failure()
                                            .map(why -> Value.text(why))
                                            .orElse(Value.Null.NULL)));

    private TtlView() {}

    static SystemView of(String directory, Optional<TtlRuns> runs) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> runs.map(TtlRuns::list).orElse(List.of()));
    }
}
