package io.cleave.query;

import static io.cleave.query.ViewColumn.number;
import static io.cleave.query.ViewColumn.span;
import static io.cleave.query.ViewColumn.text;

import io.cleave.index.IndexFollowers;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.Supplier;

/// The system view `.sys/async_indexes`: a row for each ASYNC index, with how far it is behind its
/// table.
final class AsyncIndexView implements SystemView {
    private static final String NAME = "async_indexes";

    /// Those from -1 to -8 are taken.
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

    private final Table table;
    private final Supplier<List<IndexFollowers.Info>> followers;

    AsyncIndexView(String directory, Supplier<List<IndexFollowers.Info>> followers) {
        this.followers = followers;
        table = ViewColumn.table(TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS);
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        return followers.get().stream().map(info -> ViewColumn.row(COLUMNS, info)).toList();
    }
}
