package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.tree.Scheme;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.function.Predicate;

/// Checks whether tablets accept reads and writes. Tablets that are not mounted accept neither.
///
/// Threads: any.
public final class RowGate {
    private final Scheme tree;

    public RowGate(Scheme tree) {
        this.tree = tree;
    }

    /// Throws if one of the keys cannot be read now.
    void checkRead(Table table, String path, List<Bytes> keys) {
        check(table, path, keys, MountState::isReadable, true);
    }

    /// Throws if a key of the table cannot be read now.
    public void checkAllReadable(Table table, String path) {
        table.options()
                .yt()
                .flatMap(yt -> yt.states().firstNot(MountState::isReadable, KeyRange.ALL))
                .ifPresent(key -> checkRead(table, path, List.of(key)));
    }

    /// Throws if one of the keys cannot be written now.
    void checkWrite(Table table, String path, List<Bytes> keys) {
        check(table, path, keys, MountState::isWritable, false);
    }

    /// Throws if a key of the table cannot be written now.
    void checkAllWritable(Table table, String path) {
        table.options()
                .yt()
                .flatMap(yt -> yt.states().firstNot(MountState::isWritable, KeyRange.ALL))
                .ifPresent(key -> checkWrite(table, path, List.of(key)));
    }

    private void check(
            Table table,
            String path,
            List<Bytes> keys,
            Predicate<MountState> isOpen,
            boolean isRead) {
        MountStates states = table.options().yt().map(YtTable::states).orElse(null);
        if (states == null || states.all(isOpen)) {
            return;
        }
        for (Bytes key : keys) {
            MountState state = states.at(key);
            if (!isOpen.test(state)) {
                throw closed(table, path, key, state, isRead);
            }
        }
    }

    private YtException closed(
            Table table, String path, Bytes key, MountState state, boolean isRead) {
        String tablet = tabletId(table, key);
        String text =
                isRead
                        ? "Cannot read from tablet %s of table %s while it is in \"%s\" state"
                        : "Tablet %s of table %s is in \"%s\" state while \"mounted\" expected";
        return YtError.of(YtCodes.TABLET_NOT_MOUNTED, text.formatted(tablet, path, state.text()))
                .with("tablet_id", tablet)
                .with("is_tablet_unmounted", YsonNode.bool(state == MountState.UNMOUNTED))
                .exception();
    }

    private String tabletId(Table table, Bytes key) {
        for (TabletInfo tablet : tree.tablets(table)) {
            if (tablet.range().contains(key)) {
                return tabletId(tablet.tabletId());
            }
        }
        return ObjectId.NULL.text();
    }

    /// The id of a tablet as clients know it.
    static String tabletId(long tabletId) {
        return ObjectId.of(ObjectType.TABLET, tabletId).text();
    }
}
