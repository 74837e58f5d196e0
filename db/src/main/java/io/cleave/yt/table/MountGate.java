package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.Tablets;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

/// Refuses reads and writes of keys whose tablet is in a state that forbids them, with YTsaurus'
/// error. Transactions check the state again: see `txn.MountChecks`. If a commit failed because the
/// table was changed, the state is checked once more, in the current table. This finds out whether
/// the state was the reason.
///
/// Threads: any.
public final class MountGate {
    private final Tablets tablets;

    public MountGate(Tablets tablets) {
        this.tablets = tablets;
    }

    public void checkRead(Table table, Bytes key) {
        MountState state = states(table).at(key);
        if (!state.isReadable()) {
            throw unreadable(table, key, state);
        }
    }

    public void checkRead(Table table, KeyRange range) {
        MountStates states = states(table);
        states.firstNot(MountState::isReadable, range)
                .ifPresent(
                        key -> {
                            throw unreadable(table, key, states.at(key));
                        });
    }

    public void checkWrite(Table table, Bytes key) {
        MountState state = states(table).at(key);
        if (!state.isWritable()) {
            throw error(
                    "Tablet %s of table %s is in \"%s\" state while \"mounted\" expected",
                    table, key, state);
        }
    }

    private static MountStates states(Table table) {
        return table.options().yt().map(YtTable::states).orElse(MountStates.MOUNTED);
    }

    private YtException unreadable(Table table, Bytes key, MountState state) {
        return error(
                "Cannot read from tablet %s of table %s while it is in \"%s\" state",
                table, key, state);
    }

    private YtException error(String text, Table table, Bytes key, MountState state) {
        String tablet = tabletId(table, key);
        return YtError.of(
                        YtCodes.TABLET_NOT_MOUNTED,
                        text.formatted(tablet, path(tablets.database(), table), state.text()))
                .with("tablet_id", tablet)
                .with("is_tablet_unmounted", YsonNode.bool(state == MountState.UNMOUNTED))
                .exception();
    }

    private String tabletId(Table table, Bytes key) {
        for (TabletPlace place : tablets.held().view().tablets(table.id())) {
            if (place.range().contains(key)) {
                return tabletId(place.tabletId());
            }
        }
        return ObjectId.NULL.text();
    }

    /// The id of a tablet as clients know it.
    static String tabletId(long tabletId) {
        return ObjectId.of(ObjectType.TABLET, tabletId).text();
    }

    /// The path of the table as clients know it.
    public static String path(String database, Table table) {
        return "/" + table.path().substring(database.length());
    }
}
