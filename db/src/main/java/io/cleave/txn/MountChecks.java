package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Tablets;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;

import java.util.List;
import java.util.Optional;

/// Refuses reads and writes of keys that are not mounted. The states are those of the table that
/// the caller uses. A change of a state gives the table a new version, and the tablets refuse
/// commits that were made for an earlier one, so no commit is made in a state that forbids it.
final class MountChecks {
    private MountChecks() {}

    static void checkReadable(Table table, Bytes key, Tablets cluster) {
        Optional<YtTable> yt = table.options().yt();
        if (yt.isPresent() && !yt.get().states().at(key).isReadable()) {
            throw unreadable(table, yt.get().states().at(key));
        }
        checkIndexed(table, cluster);
    }

    static void checkReadable(Table table, List<Bytes> keys, Tablets cluster) {
        if (table.options().yt().isPresent()) {
            keys.forEach(key -> checkReadable(table, key, cluster));
        }
        checkIndexed(table, cluster);
    }

    static void checkReadable(Table table, KeyRange range, Tablets cluster) {
        Optional<YtTable> yt = table.options().yt();
        if (yt.isPresent()) {
            yt.get()
                    .states()
                    .firstNot(MountState::isReadable, range)
                    .ifPresent(
                            key -> {
                                throw unreadable(table, yt.get().states().at(key));
                            });
        }
        checkIndexed(table, cluster);
    }

    /// An index has rows of all tablets of its table, and no states of its own.
    private static void checkIndexed(Table table, Tablets cluster) {
        if (!table.isIndexTable()) {
            return;
        }
        Optional<Table> indexed = cluster.find(indexedPath(table.path()));
        indexed.flatMap(found -> found.options().yt())
                .flatMap(
                        yt ->
                                yt.states()
                                        .firstNot(MountState::isReadable, KeyRange.ALL)
                                        .map(key -> yt.states().at(key)))
                .ifPresent(
                        state -> {
                            throw unreadable(indexed.orElseThrow(), state);
                        });
    }

    /// The path of an index table ends with the names of the index and of its table.
    private static String indexedPath(String path) {
        int table = path.lastIndexOf('/');
        return path.substring(0, path.lastIndexOf('/', table - 1));
    }

    static void checkWritable(Table table, Bytes key) {
        Optional<YtTable> yt = table.options().yt();
        if (yt.isPresent() && !yt.get().states().at(key).isWritable()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "Table '%s' cannot be written: it is %s"
                            .formatted(table.path(), description(yt.get().states().at(key))));
        }
    }

    static void checkWritable(Table table, Effects written) {
        if (!table.isMounted()) {
            written.rows().keySet().forEach(key -> checkWritable(table, key));
        }
    }

    private static StatusException unreadable(Table table, MountState state) {
        return new StatusException(
                Status.UNAVAILABLE,
                "Table '%s' cannot be read: it is %s".formatted(table.path(), description(state)));
    }

    private static String description(MountState state) {
        return switch (state) {
            case UNMOUNTED -> "unmounted; 'yt mount-table' mounts it";
            case FROZEN -> "frozen; 'yt unfreeze-table' makes it writable";
            default -> state.text();
        };
    }
}
