package io.cleave.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobWriter;
import io.cleave.blob.ForwardingBlobs;
import io.cleave.blob.MemoryBlobs;
import io.cleave.schema.Index;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A build that ends in the middle of its load: some tablets of the index have their files, the
/// others do not.
@Timeout(60)
class BuildCrashTest {
    private static final int TABLETS = 4;

    @ParameterizedTest
    @ValueSource(strings = {"GLOBAL", "GLOBAL ASYNC"})
    void aBuildThatIsKilledInItsLoadIsDoneAnewByTheNextStart(String kind) throws Exception {
        var blobs = new GatedBlobs(TABLETS - 1);
        try (var bench = new IndexBench(blobs)) {
            Thread adding = beginBuild(bench, blobs, kind);
            long before = loadedTablets(bench);
            assertThat(before).isBetween(1L, TABLETS - 1L);
            bench.run("UPSERT INTO t (k, a) VALUES (1, -1), (1000, -2)");
            bench.run("DELETE FROM t WHERE k >= 390");
            blobs.letOthersPass();
            bench.restart();
            // The thread of the process that is gone.
            blobs.kill();
            adding.join();
            // The new start builds the index meanwhile, and a commit made for the table as it was
            // before the build is a conflict.
            bench.retry("UPDATE t SET a = -3 WHERE k < 5");
            while (!bench.table("t").index("i").orElseThrow().isReady()) {
                Thread.onSpinWait();
            }
            bench.assertFollows("t", "i", "after the restart");
            bench.restart();
            bench.assertFollows("t", "i", "after another");
        }
    }

    @Test
    void aBuildThatIsCancelledInItsLoadLeavesNothing() throws Exception {
        var blobs = new GatedBlobs(TABLETS - 1);
        try (var bench = new IndexBench(blobs)) {
            Thread adding = beginBuild(bench, blobs, "GLOBAL");
            int tablets = bench.store.tablets().infos().size();
            IndexBuilds builds = bench.store.builds();
            IndexBuilds.Info build = builds.list().getFirst();
            assertThat(build.state()).isEqualTo(BuildState.TRANSFERING_DATA);
            builds.cancel(build.id());
            blobs.open();
            adding.join();
            assertThat(builds.get(build.id()).state()).isEqualTo(BuildState.CANCELLED);
            assertThat(bench.table("t").indexes()).isEmpty();
            assertThat(bench.store.tablets().infos()).hasSize(tablets - TABLETS);
            bench.store.setIndexBuilder(builds);
            bench.run("ALTER TABLE t ADD INDEX i GLOBAL ON (a)");
            bench.assertAgree("t", "i", "built anew");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GLOBAL", "GLOBAL ASYNC"})
    void aBuildWhoseTableIsTruncatedIsDone(String kind) throws Exception {
        var blobs = new GatedBlobs(TABLETS - 1);
        try (var bench = new IndexBench(blobs)) {
            Thread adding = beginBuild(bench, blobs, kind);
            bench.run("TRUNCATE TABLE t");
            assertThat(bench.table("t").index("i").orElseThrow().isReady()).isTrue();
            bench.run("UPSERT INTO t (k, a) VALUES (1, -1), (1000, -2)");
            blobs.open();
            adding.join();
            IndexBuilds.Info build = bench.store.builds().list().getFirst();
            assertThat(build.failure()).isEmpty();
            assertThat(build.state()).isEqualTo(BuildState.DONE);
            assertThat(build.progress()).isEqualTo(100);
            bench.assertFollows("t", "i", "truncated");
            bench.restart();
            bench.assertFollows("t", "i", "after a restart");
        }
    }

    @Test
    void aBuildWhoseIndexIsDroppedIsCancelled() throws Exception {
        var blobs = new GatedBlobs(TABLETS - 1);
        try (var bench = new IndexBench(blobs)) {
            Thread adding = beginBuild(bench, blobs, "GLOBAL");
            bench.run("ALTER TABLE t DROP INDEX i");
            bench.run("TRUNCATE TABLE t");
            blobs.open();
            adding.join();
            IndexBuilds.Info build = bench.store.builds().list().getFirst();
            assertThat(build.state()).isEqualTo(BuildState.CANCELLED);
            assertThat(build.failure().orElseThrow()).hasMessageContaining("was dropped");
        }
    }

    /// Returns when the build has written some of the index's tablets and waits before the next.
    private static Thread beginBuild(IndexBench bench, GatedBlobs blobs, String kind)
            throws Exception {
        bench.run("CREATE TABLE t (k Int32, a Int32, b Utf8, c Int32, PRIMARY KEY (k))");
        IndexLoad.fill(bench);
        // The index is to have several tablets before it is built, which no statement can say.
        bench.store.setIndexBuilder((_, _) -> {});
        bench.run("ALTER TABLE t ADD INDEX i %s ON (a)".formatted(kind));
        bench.run(
                "ALTER TABLE t ALTER INDEX i SET (AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = %d)"
                        .formatted(TABLETS));
        blobs.close();
        Thread adding =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        bench.store
                                                .builds()
                                                .build(
                                                        bench.table("t"),
                                                        bench.table("t/i/" + Index.TABLE_NAME));
                                    } catch (StatusException e) {
                                        assertThat(e.status())
                                                .isIn(Status.CANCELLED, Status.INTERNAL_ERROR);
                                    }
                                });
        blobs.awaitArrival();
        return adding;
    }

    private static long loadedTablets(IndexBench bench) {
        Index index = bench.table("t").index("i").orElseThrow();
        assertThat(index.isReady()).isFalse();
        var tablets = bench.store.tablets();
        return tablets.infos(tablets.table("/local/t/i/" + Index.TABLE_NAME)).stream()
                .filter(tablet -> tablet.storage().files() > 0)
                .count();
    }

    /// Holds a build up when it wants to write its n-th blob after [#close].
    private static final class GatedBlobs extends ForwardingBlobs {
        private final int passing;
        private final AtomicInteger written = new AtomicInteger();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);
        private volatile boolean closed;
        private volatile boolean killed;

        GatedBlobs(int passing) {
            super(new MemoryBlobs());
            this.passing = passing;
        }

        void close() {
            closed = true;
        }

        void awaitArrival() throws InterruptedException {
            arrived.await();
        }

        void letOthersPass() {
            closed = false;
        }

        void open() {
            letOthersPass();
            opened.countDown();
        }

        /// Whoever is held up fails.
        void kill() {
            killed = true;
            open();
        }

        @Override
        public BlobWriter create(String medium) {
            boolean ofBuild = Thread.currentThread().getName().equals("index build");
            if (closed && ofBuild && written.incrementAndGet() >= passing) {
                arrived.countDown();
                try {
                    opened.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                if (killed) {
                    throw new UncheckedIOException(new IOException("killed"));
                }
            }
            return blobs.create(medium);
        }
    }
}
