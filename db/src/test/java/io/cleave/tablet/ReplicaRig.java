package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
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
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.testkit.SimEnv;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Some cells of one node that share their files, with read replicas of one table, and everything
/// that was ever written to it. Rows have one column.
final class ReplicaRig {
    static final long TABLE = 100;
    private static final int[] VALUE = {1};

    final SimEnv env;
    final BlobStore blobs = new MemoryBlobs();
    final BlobReferences references = new BlobReferences(new TableFiles(blobs, 1 << 20));
    final Timeline timeline;
    final ReplicaMoments moments;
    final List<ReadReplica> replicas = new ArrayList<>();
    private final Map<Long, GatedLog> logs = new HashMap<>();
    private final Map<Long, Cell> cells = new TreeMap<>();

    /// Of each key what was written when; null for an erase.
    private final TreeMap<String, TreeMap<Long, @Nullable String>> history = new TreeMap<>();

    private record Erase(KeyRange range, long timestamp) {}

    private final List<Erase> erases = new ArrayList<>();

    interface Body {
        void run(ReplicaRig rig);
    }

    private ReplicaRig(SimEnv env, int cellCount, CellOptions options) {
        this.env = env;
        timeline = new Timeline(env);
        moments = new ReplicaMoments(timeline, env);
        var background = new Background(env, options);
        for (long id = 1; id <= cellCount; id++) {
            var log =
                    new GatedLog(
                            new MemoryLog(
                                    env,
                                    LogOptions.DEFAULT,
                                    failure -> {
                                        throw new AssertionError("the log failed", failure);
                                    }),
                            env);
            logs.put(id, log);
            cells.put(id, new Cell(id, log, references, timeline, options, background, env));
        }
        cells.values().forEach(cell -> cell.transactions().join(this::link));
        cells.values().forEach(Cell::start);
    }

    private CellLink link(long cellId) {
        Cell cell = cells.get(cellId);
        if (cell == null) {
            throw new StatusException(Status.UNAVAILABLE, "no cell " + cellId);
        }
        return cell.transactions();
    }

    static void run(long seed, int cellCount, CellOptions options, Body body) {
        var env = new SimEnv(seed);
        env.run(
                () -> {
                    var rig = new ReplicaRig(env, cellCount, options);
                    body.run(rig);
                    rig.logs.values().forEach(log -> log.shut(false));
                    List.copyOf(rig.replicas).forEach(rig::end);
                    rig.moments.close();
                    rig.cells.values().forEach(Cell::close);
                });
    }

    Cell cell(long cellId) {
        return cells.get(cellId);
    }

    GatedLog log(long cellId) {
        return logs.get(cellId);
    }

    ReadReplica begin(long cellId, int number) {
        ReadReplica replica = ReadReplica.begin(cell(cellId), "", number, Set.of(TABLE), env);
        replicas.add(replica);
        moments.add(replica);
        return replica;
    }

    void end(ReadReplica replica) {
        replicas.remove(replica);
        moments.remove(replica);
        replica.stop();
        log(replica.cellId()).shut(false);
        replica.awaitEnd();
    }

    void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Until the replica has all that can be seen now.
    void catchUp(ReadReplica replica) {
        long visible = timeline.visible();
        for (int tries = 0; !replica.hasReached(visible); tries++) {
            assertThat(tries).as("%s does not catch up", replica.info()).isLessThan(10_000);
            pass(Duration.ofMillis(1));
        }
    }

    void write(Tablet tablet, long cellId, String key, @Nullable String value) {
        var writes = List.of(writes(tablet, key, value));
        CommitResult result = cell(cellId).commit(writes, new ReadLocks(), null);
        wrote(key, ((Done) result).timestamp(), value);
    }

    static TabletWrites writes(Tablet tablet, String key, @Nullable String value) {
        return new TabletWrites(
                tablet.id(), List.of(new KeyedChange(Bytes.utf8(key), change(value))));
    }

    private static Bytes change(@Nullable String value) {
        if (value == null) {
            return RowChange.ERASE;
        }
        byte[][] cells = {value.getBytes(StandardCharsets.UTF_8)};
        return RowChange.encode(RowChange.Kind.UPSERT, VALUE, cells);
    }

    void wrote(String key, long timestamp, @Nullable String value) {
        history.computeIfAbsent(key, _ -> new TreeMap<>()).put(timestamp, value);
    }

    /// All of the range was erased. A thread may tell later of a write that was committed before.
    void erased(KeyRange range, long timestamp) {
        erases.add(new Erase(range, timestamp));
    }

    private boolean isErased(Bytes key, long after, long through) {
        return erases.stream()
                .anyMatch(
                        erase ->
                                erase.timestamp > after
                                        && erase.timestamp <= through
                                        && erase.range.contains(key));
    }

    /// What the history says.
    Map<String, String> rowsAt(KeyRange range, long snapshot) {
        Map<String, String> rows = new TreeMap<>();
        history.forEach(
                (key, versions) -> {
                    var version = versions.floorEntry(snapshot);
                    if (version != null
                            && version.getValue() != null
                            && range.contains(Bytes.utf8(key))
                            && !isErased(Bytes.utf8(key), version.getKey(), snapshot)) {
                        rows.put(key, version.getValue());
                    }
                });
        return rows;
    }

    static Map<String, String> scan(Tablet tablet, KeyRange range, long snapshot) {
        Map<String, String> rows = new TreeMap<>();
        RowCursor cursor = tablet.scan(range, Projection.ALL, snapshot, Direction.FORWARD, null);
        while (cursor.next()) {
            rows.put(cursor.row().key().utf8(), value(cursor.row()));
        }
        return rows;
    }

    static String value(Row row) {
        int index = row.fieldIndex(VALUE[0]);
        int length = row.to(index) - row.from(index);
        return new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
    }
}
