package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.SimEnv;
import io.cleave.time.Timeline;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// A cell on a log and blobs in memory, with threads and time from a seed. Rows have one column.
final class CellRig {
    static final int[] VALUE = {1};

    final SimEnv env;
    final MemoryLog log;
    final BlobStore blobs;
    private CellOptions options;
    Background background;
    TableFiles files;
    Cell cell;
    private final long cellId;

    private CellRig(
            long cellId, SimEnv env, BlobStore blobs, CellOptions options, Background background) {
        this.cellId = cellId;
        this.env = env;
        this.background = background;
        this.blobs = blobs;
        this.options = options;
        log =
                new MemoryLog(
                        env,
                        LogOptions.DEFAULT,
                        failure -> {
                            throw new AssertionError("the log failed", failure);
                        });
    }

    interface Body {
        void run(CellRig rig);
    }

    static void run(long seed, CellOptions options, Body body) {
        run(seed, options, new MemoryBlobs(), body);
    }

    static void run(long seed, CellOptions options, BlobStore blobs, Body body) {
        var env = new SimEnv(seed);
        env.run(
                () -> {
                    var background = new Background(env, options);
                    var rig = new CellRig(1, env, blobs, options, background);
                    rig.open();
                    body.run(rig);
                    rig.cell.close();
                });
    }

    /// What a new process would find. The old cell is not closed: it is fenced.
    void restart() {
        background = new Background(env, options);
        open();
    }

    void restart(CellOptions otherOptions) {
        options = otherOptions;
        restart();
    }

    private void open() {
        files = new TableFiles(blobs, 1 << 20);
        cell = new Cell(cellId, log, files, new Timeline(env), options, background, env);
    }

    /// Another cell in the same process.
    CellRig beside(long otherId) {
        var other = new CellRig(otherId, env, new MemoryBlobs(), options, background);
        other.open();
        return other;
    }

    void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void createTablet(long tabletId) {
        cell.structure().create(List.of(new TabletSpec(tabletId, 100, KeyRange.ALL)));
    }

    void write(long tabletId, String key, String value) {
        write(tabletId, Map.of(key, value));
    }

    void write(long tabletId, Map<String, String> rows) {
        List<KeyedChange> changes = new ArrayList<>();
        rows.forEach((key, value) -> changes.add(new KeyedChange(Bytes.utf8(key), change(value))));
        assertThat(commit(tabletId, changes)).isInstanceOf(Done.class);
    }

    void erase(long tabletId, String key) {
        var change = new KeyedChange(Bytes.utf8(key), RowChange.ERASE);
        assertThat(commit(tabletId, List.of(change))).isInstanceOf(Done.class);
    }

    CommitResult commit(long tabletId, List<KeyedChange> changes) {
        return cell.commit(List.of(new TabletWrites(tabletId, changes)), new ReadLocks(), null);
    }

    boolean commitLater(
            long tabletId,
            String key,
            String value,
            ReadLocks locks,
            CompletableFuture<CommitResult> told) {
        return commitLater(cell, tabletId, key, value, locks, told);
    }

    static boolean commitLater(
            Cell cell,
            long tabletId,
            String key,
            String value,
            ReadLocks locks,
            CompletableFuture<CommitResult> told) {
        var change = new KeyedChange(Bytes.utf8(key), change(value));
        return cell.commitLater(
                List.of(new TabletWrites(tabletId, List.of(change))), locks, told::complete);
    }

    static Bytes change(String value) {
        byte[][] cells = {value.getBytes(StandardCharsets.UTF_8)};
        return RowChange.encode(RowChange.Kind.UPSERT, VALUE, cells);
    }

    /// All rows of a tablet as the newest snapshot sees them.
    Map<String, String> rows(long tabletId) {
        long snapshot = cell.timeline().take();
        try {
            return rows(tabletId, snapshot);
        } finally {
            cell.timeline().release(snapshot);
        }
    }

    Map<String, String> rows(long tabletId, long snapshot) {
        Map<String, String> rows = new TreeMap<>();
        Tablet tablet = cell.tablet(tabletId);
        RowCursor cursor =
                tablet.scan(KeyRange.ALL, Projection.ALL, snapshot, Direction.FORWARD, null);
        while (cursor.next()) {
            rows.put(cursor.row().key().utf8(), value(cursor.row()));
        }
        return rows;
    }

    private static String value(Row row) {
        int index = row.fieldIndex(VALUE[0]);
        int length = row.to(index) - row.from(index);
        return new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
    }
}
