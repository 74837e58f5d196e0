package io.cleave.yt.table.row;

import io.cleave.memory.MemoryPool;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Database;
import io.cleave.query.KeyedTable;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Opens the tables that calls name. The prepared form of a table is kept for later calls.
///
/// Threads: any.
final class OpenTables {
    /// The maximum number of prepared tables that are kept.
    private static final int KEPT_TABLES = 10_000;

    private final Database database;
    private final RowTables tables;

    /// Prepared tables by table id.
    private final Map<Long, WireTable> wires = new ConcurrentHashMap<>();

    OpenTables(Database database, RowTables tables) {
        this.database = database;
        this.tables = tables;
    }

    /// Counts the memory of the input that a call keeps.
    RowMemory memory(String what) {
        return new RowMemory(database.memory().requests(), what);
    }

    /// The memory pool for rows of answers.
    MemoryPool results() {
        return database.memory().results();
    }

    CallerDatabase database(CommandCall call) {
        return database.as(call.caller());
    }

    /// Opens the table that the parameter `path` names.
    NamedTable open(CommandCall call) {
        String ypath = call.parameters().requireText("path");
        CallerDatabase caller = database(call);
        String path = tables.resolve(call, ypath);
        KeyedTable keyed =
                caller.keyedRows()
                        .find(path)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Table %s is not dynamic".formatted(ypath)));
        return new NamedTable(ypath, wire(keyed), new RowGate(caller.tree()));
    }

    private WireTable wire(KeyedTable keyed) {
        long id = keyed.table().id();
        WireTable kept = wires.get(id);
        if (kept == null || kept.keyed() != keyed) {
            if (wires.size() >= KEPT_TABLES) {
                wires.clear();
            }
            kept = new WireTable(keyed);
            wires.put(id, kept);
        }
        return kept;
    }
}
