package io.cleave.testkit;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Background;
import io.cleave.tablet.BlobReferences;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/// Some cells of one node, numbered from 1, each with one tablet of all keys whose id is ten times
/// the cell's; rows have one column. The logs outlive a restart, as far as the test wants.
///
/// A tablet may be cut or go to another cell; it is still asked for by the cell where it was first.
public final class TestCells implements CellLinks {
    public static final long TABLE_ID = 100;

    private static final int[] VALUE = {1};

    private final Env env;
    private final int count;
    private final CellOptions options;
    private final Map<Long, Log> logs = new TreeMap<>();
    private final BlobStore blobs = new MemoryBlobs();
    private final Map<Long, Route> routes = new TreeMap<>();
    private Map<Long, Cell> cells = new TreeMap<>();
    private Timeline timeline;
    private CellLinks links = this;

    public TestCells(Env env, int count) {
        this(env, count, CellOptions.DEFAULT);
    }

    public TestCells(Env env, int count, CellOptions options) {
        this.env = env;
        this.count = count;
        this.options = options;
        for (long id = 1; id <= count; id++) {
            logs.put(id, newLog());
        }
        open();
        for (long id = 1; id <= count; id++) {
            cell(id).structure().create(List.of(new TabletSpec(10 * id, TABLE_ID, KeyRange.ALL)));
            routes.put(id, new Route(cell(id), cell(id).tablet(10 * id)));
        }
    }

    private void open() {
        timeline = new Timeline(env);
        cells = new TreeMap<>();
        routes.clear();
        var background = new Background(env, options);
        var references = new BlobReferences(new TableFiles(blobs, 1 << 20));
        for (long id = 1; id <= count; id++) {
            var cell = new Cell(id, logs.get(id), references, timeline, options, background, env);
            cells.put(id, cell);
            Tablet tablet = cell.tablet(10 * id);
            if (tablet != null) {
                routes.put(id, new Route(cell, tablet));
            }
        }
        references.removeOrphans(List.copyOf(cells.values()));
        cells.values().forEach(Cell::start);
        cells.values().forEach(cell -> cell.transactions().join(links));
    }

    /// From now on cells reach each other in this way.
    public void joinThrough(CellLinks others) {
        links = others;
        cells.values().forEach(cell -> cell.transactions().join(links));
    }

    /// A new process finds everything that was written.
    public void restart() {
        restart(new HashMap<>());
    }

    /// A new process finds the logs up to these positions; the rest was not durable.
    public void restart(Map<Long, Long> nextPositions) {
        crash(nextPositions);
        cells.values().forEach(cell -> cell.transactions().recover());
    }

    /// The same, and nobody has ended what was left open.
    public void crash(Map<Long, Long> nextPositions) {
        nextPositions.forEach((id, next) -> logs.put(id, prefix(logs.get(id), next)));
        open();
    }

    /// A new process finds the logs, but that of one cell lacks a record in its middle.
    public void crashWithout(long cellId, long position) {
        logs.put(cellId, copy(logs.get(cellId), each -> each != position));
        open();
    }

    /// How far a cell's log goes: what is appended from now on has this position and later ones.
    public long nextPosition(long cellId) {
        return logs.get(cellId).nextPosition();
    }

    private Log prefix(Log log, long nextPosition) {
        return copy(log, position -> position < nextPosition);
    }

    private Log copy(Log log, LongPredicate isKept) {
        Log copy = newLog();
        try (LogWriter writer = copy.openWriter();
                LogCursor cursor = log.read(0)) {
            while (cursor.next()) {
                if (isKept.test(cursor.position())) {
                    writer.append(cursor.record(), (_, _) -> {});
                }
            }
        }
        return copy;
    }

    private Log newLog() {
        return new MemoryLog(
                env,
                LogOptions.DEFAULT,
                failure -> {
                    throw new AssertionError("the log failed", failure);
                });
    }

    @Override
    public CellLink find(long cellId) {
        Cell cell = cells.get(cellId);
        if (cell == null) {
            throw new StatusException(Status.UNAVAILABLE, "cell " + cellId + " is not open");
        }
        return cell.transactions();
    }

    public Cell cell(long cellId) {
        return cells.get(cellId);
    }

    public Tablet tablet(long cellId) {
        return cell(cellId).tablet(10 * cellId);
    }

    /// Where the key of a tablet is that began in this cell.
    public Route route(long cellId, String key) {
        return routes.get(cellId).find(Bytes.utf8(key));
    }

    public Timeline timeline() {
        return timeline;
    }

    public void close() {
        cells.values().forEach(Cell::close);
    }

    /// Writes of one cell.
    public static List<TabletWrites> writes(long cellId, Map<String, String> rows) {
        List<KeyedChange> changes = new ArrayList<>();
        new TreeMap<>(rows).forEach((key, value) -> changes.add(change(key, value)));
        return List.of(new TabletWrites(10 * cellId, changes));
    }

    public static KeyedChange change(String key, String value) {
        byte[][] cells = {value.getBytes(StandardCharsets.UTF_8)};
        return new KeyedChange(
                Bytes.utf8(key), RowChange.encode(RowChange.Kind.UPSERT, VALUE, cells));
    }

    /// What the newest snapshot sees.
    public @Nullable String get(long cellId, String key) {
        long snapshot = timeline.take();
        try {
            return get(cellId, key, snapshot, null);
        } finally {
            timeline.release(snapshot);
        }
    }

    /// With an owner, the key is locked.
    public @Nullable String get(long cellId, String key, long snapshot, @Nullable ReadLocks owner) {
        Version version = version(cellId, key, snapshot, owner);
        return version == null ? null : version.value;
    }

    /// What a row holds and since when.
    public record Version(String value, long timestamp) {}

    /// The same with its time.
    public @Nullable Version version(
            long cellId, String key, long snapshot, @Nullable ReadLocks owner) {
        Bytes encoded = Bytes.utf8(key);
        Route route = route(cellId, key);
        while (owner != null && !route.tablet().lock(owner, encoded)) {
            route = route.find(encoded);
        }
        Row row = route.tablet().get(encoded, Projection.ALL, snapshot, owner);
        if (row == null) {
            return null;
        }
        int index = row.fieldIndex(VALUE[0]);
        int length = row.to(index) - row.from(index);
        var value = new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
        return new Version(value, row.timestamp());
    }
}
