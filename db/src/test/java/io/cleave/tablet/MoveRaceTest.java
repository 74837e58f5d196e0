package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.table.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.CommitResult.Gone;
import io.cleave.tablet.record.CommitResult.Moved;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.time.Timeline;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/// Writers and a tablet that goes to and fro between two cells, on real threads: they meet where a
/// simulation, which changes threads only where they wait, does not let them.
class MoveRaceTest {
    private static final int WRITERS = 3;
    private static final int MOVES = 1_000;

    private final Env env = new SystemEnv();
    private final Timeline timeline = new Timeline(env);
    private final Background background = new Background(env, CellOptions.DEFAULT);
    private final BlobReferences references =
            new BlobReferences(new TableFiles(new MemoryBlobs(), 1 << 20));

    @Test
    void whatWasAcknowledgedIsThereAfterManyMoves() throws Exception {
        Cell left = open(1);
        Cell right = open(2);
        left.structure().create(List.of(new TabletSpec(7, 100, KeyRange.ALL)));
        var first = new Route(left, left.tablet(7));
        var ended = new AtomicBoolean();
        List<Bytes> acknowledged = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<List<Bytes>>> writers = new ArrayList<>();
            for (int index = 0; index < WRITERS; index++) {
                writers.add(threads.submit(writer(index, first, ended)));
            }
            Cell at = left;
            for (int move = 0; move < MOVES; move++) {
                Cell to = at == left ? right : left;
                at.structure().move(7, to);
                at.structure().drop(List.of(7L));
                at = to;
            }
            ended.set(true);
            for (Future<List<Bytes>> writer : writers) {
                acknowledged.addAll(writer.get());
            }
        }
        long snapshot = timeline.take();
        List<Bytes> lost = new ArrayList<>();
        for (Bytes key : acknowledged) {
            Tablet tablet = first.find(key).tablet();
            if (tablet.get(key, Projection.ALL, snapshot, null) == null) {
                lost.add(key);
            }
        }
        assertThat(acknowledged).isNotEmpty();
        assertThat(lost).isEmpty();
        left.close();
        right.close();
    }

    private static Callable<List<Bytes>> writer(int index, Route first, AtomicBoolean ended) {
        return () -> {
            List<Bytes> done = new ArrayList<>();
            Route route = first;
            for (int number = 0; !ended.get(); number++) {
                Bytes key = Bytes.utf8(index + "/" + number);
                CommitResult result;
                do {
                    route = route.find(key);
                    var change = new KeyedChange(key, CellRig.change("x"));
                    var writes = List.of(new TabletWrites(route.tabletId(), List.of(change)));
                    result = route.cell().commit(writes, new ReadLocks(), null);
                } while (result instanceof Gone || result instanceof Moved);
                assertThat(result).isInstanceOf(Done.class);
                done.add(key);
            }
            return done;
        };
    }

    private Cell open(long cellId) {
        var log = new MemoryLog(env, LogOptions.DEFAULT, _ -> {});
        var cell =
                new Cell(cellId, log, references, timeline, CellOptions.DEFAULT, background, env);
        cell.start();
        return cell;
    }
}
