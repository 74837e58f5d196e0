package io.cleave.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.blob.MemoryBlobs;
import io.cleave.log.Completion;
import io.cleave.log.ForwardingLog;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;
import io.cleave.log.MemoryLog;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.StoredFamily.CacheMode;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.testkit.SimEnv;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads of a tablet that is kept in memory never read a file, whatever happens to the tablet.
/// Threads and their order come from a seed.
class InMemoryTabletTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int SEEDS = 3;

    /// More than a move carries in its record.
    private static final int ROWS = 1_500;

    private static final String VALUE = "v".repeat(1_000);

    @Test
    void aMoveReadsNothingFromFiles() {
        each(
                rig -> {
                    rig.left.structure().move(7, rig.right);
                    rig.expectReadsFromMemory(rig.right, 7, 0, ROWS);
                    rig.write(rig.right, 7, ROWS, 2 * ROWS);
                    rig.left.structure().drop(List.of(7L));
                    rig.right.structure().move(7, rig.left);
                    rig.expectReadsFromMemory(rig.left, 7, 0, 2 * ROWS);
                });
    }

    @Test
    void aMoveLoadsWhatIsNotLoadedYet() {
        each(
                rig -> {
                    rig.left.structure().flush(List.of(7L));
                    rig.left.structure().configure(List.of(7L), TreeSettings.DEFAULT);
                    rig.pass(Duration.ofSeconds(10));
                    assertThat(rig.left.tablet(7).pinnedBytes()).as(rig.how).isZero();
                    rig.left.structure().configure(List.of(7L), rig.settings);
                    // The compactor may not have loaded it yet.
                    rig.coldBytes = 0;
                    rig.left.structure().move(7, rig.right);
                    rig.expectReadsFromMemory(rig.right, 7, 0, ROWS);
                });
    }

    @Test
    void flushesAndCompactionsReadNothingFromFiles() {
        each(
                rig -> {
                    rig.left.structure().flush(List.of(7L));
                    rig.expectReadsFromMemory(rig.left, 7, 0, ROWS);
                    rig.write(rig.left, 7, ROWS / 2, 2 * ROWS);
                    rig.left.structure().flush(List.of(7L));
                    rig.left.structure().compact(List.of(7L));
                    rig.expectReadsFromMemory(rig.left, 7, 0, 2 * ROWS);
                });
    }

    @Test
    void splitsAndMergesReadNothingFromFiles() {
        each(
                rig -> {
                    rig.left.structure().flush(List.of(7L));
                    rig.write(rig.left, 7, ROWS / 2, 2 * ROWS);
                    KeyRange low = new KeyRange(Bytes.EMPTY, key(ROWS));
                    KeyRange high = new KeyRange(key(ROWS), null);
                    rig.left.structure().split(7, List.of(rig.spec(8, low), rig.spec(9, high)));
                    rig.left.structure().move(9, rig.right);
                    rig.expectReadsFromMemory(rig.left, 8, 0, ROWS);
                    rig.expectReadsFromMemory(rig.right, 9, ROWS, 2 * ROWS);
                    rig.left.structure().flush(List.of(8L));
                    rig.left.structure().drop(List.of(9L));
                    rig.right.structure().move(9, rig.left);
                    rig.left.structure().merge(List.of(8L, 9L), rig.spec(10, KeyRange.ALL));
                    rig.left.structure().flush(List.of(10L));
                    rig.expectReadsFromMemory(rig.left, 10, 0, 2 * ROWS);
                });
    }

    private interface Body {
        void run(Rig rig);
    }

    private static void each(Body body) {
        for (CacheMode mode : List.of(CacheMode.PINNED, CacheMode.PINNED_COMPRESSED)) {
            for (long seed = SEED; seed < SEED + SEEDS; seed++) {
                var env = new SimEnv(seed);
                String how = "%s -Dseed=%d".formatted(mode, seed);
                env.run(
                        () -> {
                            var rig = new Rig(env, mode, how);
                            rig.write(rig.left, 7, 0, ROWS);
                            body.run(rig);
                            rig.close();
                        });
            }
        }
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key %05d".formatted(row));
    }

    /// A log that does something whenever a record is appended.
    private static final class Watched extends ForwardingLog {
        private final Runnable action;

        Watched(Log log, Runnable action) {
            super(log);
            this.action = action;
        }

        @Override
        public LogWriter openWriter() {
            return new Writer(log.openWriter()) {
                @Override
                public long append(Bytes record, Completion completion) {
                    action.run();
                    return writer.append(record, completion);
                }
            };
        }
    }

    /// Two cells of one process, and tablet 7 in the left one.
    private static final class Rig {
        private final SimEnv env;
        private final Timeline timeline;
        private final Background background;
        private final TableFiles files = new TableFiles(new MemoryBlobs(), 64 << 20);
        private final BlobReferences references = new BlobReferences(files);
        private final TreeSettings settings;
        private final String how;
        private @Nullable Route first;
        private long coldBytes;
        final Cell left;
        final Cell right;

        Rig(SimEnv env, CacheMode mode, String how) {
            this.env = env;
            this.how = how;
            timeline = new Timeline(env);
            background = new Background(env, CellOptions.DEFAULT);
            settings =
                    new TreeSettings(
                            List.of(
                                    new StoredFamily(
                                            "default", List.of(), Compression.NONE, "", mode)),
                            true,
                            null);
            left = open(1);
            right = open(2);
            first = left.structure().create(List.of(spec(7, KeyRange.ALL))).getFirst();
        }

        private Cell open(long cellId) {
            var log = new Watched(new MemoryLog(env, LogOptions.DEFAULT, _ -> {}), this::read);
            var options = CellOptions.DEFAULT;
            var cell = new Cell(cellId, log, references, timeline, options, background, env);
            cell.start();
            return cell;
        }

        TabletSpec spec(long tabletId, KeyRange range) {
            return new TabletSpec(tabletId, 100, range).with(settings);
        }

        void pass(Duration time) {
            try {
                env.sleep(time);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void write(Cell cell, long tabletId, int from, int to) {
            List<KeyedChange> changes = new ArrayList<>();
            for (int row = from; row < to; row++) {
                changes.add(new KeyedChange(key(row), CellRig.change(VALUE)));
            }
            var writes = List.of(new TabletWrites(tabletId, changes));
            assertThat(cell.commit(writes, new ReadLocks(), null)).isInstanceOf(Done.class);
        }

        /// Reads rows in the middle of every change of a tablet. Other threads run only between two
        /// reads, so the bytes that were read from files are its own.
        private void read() {
            if (first == null) {
                return;
            }
            long before = files.bytesRead();
            for (int row = 0; row < ROWS; row += ROWS / 30) {
                Tablet tablet = first.find(key(row)).tablet();
                var _ = tablet.getNewest(key(row), Projection.ALL, timeline::visible);
            }
            coldBytes += files.bytesRead() - before;
        }

        void close() {
            assertThat(coldBytes).as(how).isZero();
            left.close();
            right.close();
        }

        /// Reads the rows `[from, to)`, which are all in the tablet.
        void expectReadsFromMemory(Cell cell, long tabletId, int from, int to) {
            Tablet tablet = cell.tablet(tabletId);
            assertThat(tablet.statistics().tableBytes()).as(how).isPositive();
            long before = files.bytesRead();
            long snapshot = timeline.take();
            for (int row = from; row < to; row++) {
                assertThat(tablet.get(key(row), Projection.ALL, snapshot, null)).isNotNull();
            }
            timeline.release(snapshot);
            assertThat(files.bytesRead() - before).as(how).isZero();
        }
    }
}
