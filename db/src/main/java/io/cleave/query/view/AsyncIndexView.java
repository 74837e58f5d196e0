package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.span;
import static io.cleave.query.view.ViewColumn.text;

import io.cleave.index.IndexFollowers;

import java.util.List;
import java.util.function.Supplier;

/// The system view `.sys/async_indexes`: one row for each ASYNC index, with its lag behind its
/// table.
final class AsyncIndexView {
    private static final String NAME = "async_indexes";

    /// Other views use -1 to -8.
    private static final long TABLE_ID = -9;

    private static final int KEY_COLUMNS = 2;

    private static final List<ViewColumn<IndexFollowers.Info>> COLUMNS =
            List.of(
                    text("Path", IndexFollowers.Info::tablePath),
                    text("IndexName", IndexFollowers.Info::index),
                    number("PathId", IndexFollowers.Info::indexTableId),
                    span("Lag", IndexFollowers.Info::lagMicros),
                    span("LagP99", IndexFollowers.Info::highLagMicros),
                    number("BacklogRows", IndexFollowers.Info::backlogRows),
                    number("FollowedRows", IndexFollowers.Info::followedRows));

    private AsyncIndexView() {}

    static SystemView of(String directory, Supplier<List<IndexFollowers.Info>> followers) {
        return ListedView.of(TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS, followers);
    }
}
