package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.base.SystemEnv;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobStoreContract;
import io.cleave.blob.BlobWriter;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

class BookKeeperBlobsTest extends BlobStoreContract {
    private static final int COLLECTIONS = 100;

    private static TestLedgers cluster;
    private static BookKeeper bookKeeper;
    private static CuratorFramework zooKeeper;

    private final List<BookKeeperBlobs> open = new ArrayList<>();
    private BookKeeperSettings settings;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = TestLedgers.start();
        bookKeeper = cluster.newClient();
        zooKeeper = CuratorFrameworkFactory.newClient(cluster.zooKeeper(), new RetryOneTime(100));
        zooKeeper.start();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        zooKeeper.close();
        bookKeeper.close();
        cluster.close();
    }

    @BeforeEach
    void newRoot() {
        settings = cluster.newSettings();
    }

    @AfterEach
    void closeAll() {
        open.forEach(BookKeeperBlobs::close);
    }

    /// Those before are dead: their nodes are gone, and what they were writing is as it was.
    @Override
    protected BlobStore reopen() {
        open.forEach(BookKeeperBlobs::close);
        return openAnother();
    }

    /// As a second process would, while the first goes on.
    private BookKeeperBlobs openAnother() {
        var store =
                new BookKeeperBlobs(
                        new SystemEnv(),
                        bookKeeper,
                        zooKeeper,
                        settings,
                        settings.root() + "/blobs",
                        Set.of("", "hdd"));
        open.add(store);
        return store;
    }

    @Test
    void whatACrashLeftIsRemovedAtTheNextOpening() throws Exception {
        BlobStore store = reopen();
        long kept = write(store, 100_000);
        BlobWriter crashed = store.create();
        crashed.write(new byte[100_000]);
        assertThat(ledgers()).hasSize(2);

        BlobStore again = reopen();

        assertThat(ledgers()).hasSize(1);
        assertThat(again.list()).containsExactly(kept);
        assertThat(again.open(kept).size()).isEqualTo(100_000);
        assertThat(zooKeeper.getChildren().forPath(settings.root() + "/blobs/runs")).isEmpty();
    }

    @Test
    void whatOthersAreWritingStays() throws Exception {
        BlobStore store = openAnother();
        try (BlobWriter writer = store.create()) {
            writer.write(new byte[100_000]);
            BlobStore other = openAnother();
            long id = write(other, 10);
            assertThat(ledgers()).hasSize(2);
            writer.seal();
            assertThat(other.list()).containsExactly(writer.id(), id);
            assertThat(other.open(writer.id()).size()).isEqualTo(100_000);
        }
    }

    /// It slept for longer than its session, and another has cleaned up after it.
    @Test
    void aWriterThatWasTakenForDeadSealsNothing() throws Exception {
        BlobStore asleep = openAnother();
        BlobWriter writer = asleep.create();
        writer.write(new byte[100_000]);

        BlobStore store = reopen();

        assertThatThrownBy(writer::seal).isInstanceOf(UncheckedIOException.class);
        writer.close();
        assertThat(store.list()).isEmpty();
        assertThat(ledgers()).isEmpty();
        // It has another run of ids from now on.
        long id = write(asleep, 100);
        assertThat(store.list()).containsExactly(id);
    }

    @Test
    void aRunThatCannotBeRemovedIsNoFailureOfTheBlob() throws Exception {
        String root = settings.root() + "/blobs";
        var failing = new AtomicBoolean();
        var nodes =
                new BlobNodes(
                        Calls.before(
                                CuratorFramework.class,
                                zooKeeper,
                                "delete",
                                () -> {
                                    if (failing.get()) {
                                        throw new IllegalStateException("no connection");
                                    }
                                }),
                        root);
        var registry = BlobRegistry.open(nodes, new BlobRuns(nodes, "other"), new Random(2));
        var ledgers = new BlobLedgers(bookKeeper, settings, root);
        for (int count = 0; count < BlobRuns.RUN; count++) {
            BlobRegistry.Ticket ticket = registry.ticket();
            failing.set(count == BlobRuns.RUN - 1);
            try (var writer = new BookKeeperBlobWriter(ledgers, registry, ticket)) {
                writer.write(ByteBuffer.wrap(new byte[10]));
                writer.seal();
            }
        }
        assertThat(zooKeeper.getChildren().forPath(root + "/runs")).hasSize(1);
        assertThat(openAnother().list()).hasSize(BlobRuns.RUN);
        assertThat(zooKeeper.getChildren().forPath(root + "/runs")).isEmpty();
    }

    @Test
    void aWriterThatCannotBeRemovedClosesItsLedger() throws Exception {
        String root = settings.root() + "/blobs";
        var nodes =
                new BlobNodes(
                        Calls.before(
                                CuratorFramework.class,
                                zooKeeper,
                                "delete",
                                () -> {
                                    throw new IllegalStateException("no connection");
                                }),
                        root);
        var registry = BlobRegistry.open(nodes, new BlobRuns(nodes, "other"), new Random(3));
        BlobRegistry.Ticket ticket = registry.ticket();
        var writer =
                new BookKeeperBlobWriter(
                        new BlobLedgers(bookKeeper, settings, root), registry, ticket);
        writer.write(ByteBuffer.wrap(new byte[100_000]));
        assertThatThrownBy(writer::close).isInstanceOf(UncheckedIOException.class);
        assertThat(bookKeeper.getLedgerMetadata(ticket.ledgerId()).get().isClosed()).isTrue();
        // Another finds it when this process is gone.
        openAnother();
        assertThat(ledgers()).isEmpty();
    }

    /// It enters after the runs were read, and takes one before the holders are.
    @Test
    void aRunOfOneWhoHasJustComeIsNoOrphan() throws Exception {
        BlobStore store = openAnother();
        long id = write(store, 10);
        var nodes = new BlobNodes(zooKeeper, settings.root() + "/blobs");
        List<BlobWriter> begun = new ArrayList<>();
        List<Long> removed = new ArrayList<>();
        new BlobRuns(nodes, "third")
                .removeOrphans(
                        () -> {
                            Set<String> before = Set.copyOf(nodes.children(nodes.holders()));
                            begun.add(openAnother().create());
                            return before;
                        },
                        removed::add);
        assertThat(removed).isEmpty();
        begun.getFirst().write(new byte[10]);
        begun.getFirst().seal();
        assertThat(store.list()).containsExactly(id, begun.getFirst().id());
    }

    /// It does not wait for BookKeeper's answer, and the ledger comes to be later.
    @Test
    void aLedgerThatIsMadeTooLateIsRemoved() throws Exception {
        BlobStore store = openAnother();
        BlobWriter writer = store.create();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> writer.write(new byte[100_000]))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        writer.close();
        // For as long as it is not known, the run of ids is not given up.
        open.removeLast().close();
        assertThat(zooKeeper.getChildren().forPath(settings.root() + "/blobs/runs")).hasSize(1);
        for (int tries = 0; tries < 100 && !ledgers().isEmpty(); tries++) {
            Thread.sleep(50);
        }
        openAnother();
        assertThat(ledgers()).isEmpty();
        assertThat(zooKeeper.getChildren().forPath(settings.root() + "/blobs/runs")).isEmpty();
    }

    /// Its request arrived and the answer was lost, so the same request again is refused.
    @Test
    void aLedgerWhoseMakingSeemedToFailIsRemoved() throws Exception {
        String root = settings.root() + "/blobs";
        openAnother();
        var nodes = new BlobNodes(zooKeeper, root);
        var registry = BlobRegistry.open(nodes, new BlobRuns(nodes, "dead"), new Random(1));
        var made = new BlobLedgers(bookKeeper, settings, root);
        BlobRegistry.Ticket ticket = registry.ticket();
        made.create(ticket.ledgerId()).close();
        assertThat(ledgers()).hasSize(1);

        var writer = new BookKeeperBlobWriter(made, registry, ticket);
        assertThatThrownBy(() -> writer.write(new byte[100_000]))
                .isInstanceOf(UncheckedIOException.class);
        writer.close();

        assertThat(ledgers()).isEmpty();
    }

    @Test
    void aWriterThatIsClosedUnsealedLeavesNothing() throws Exception {
        BlobStore store = reopen();
        try (BlobWriter writer = store.create()) {
            writer.write(new byte[100_000]);
        }
        assertThat(ledgers()).isEmpty();
        assertThat(store.list()).isEmpty();
    }

    @Test
    void theLedgerOfADeletedBlobGoesWhenItsLastReaderIsForgotten() throws Exception {
        BookKeeperBlobs store = openAnother();
        long id = write(store, 50_000);
        BlobReader reader = store.open(id);
        store.delete(id);
        store.sweep();
        assertThat(reader.read(40_000, 10_000).remaining()).isEqualTo(10_000);
        assertThat(ledgers()).hasSize(1);
        Reference.reachabilityFence(reader);

        reader = null;

        for (int collection = 0; collection < COLLECTIONS && !ledgers().isEmpty(); collection++) {
            System.gc();
            store.sweep();
        }
        assertThat(ledgers()).isEmpty();
        assertThat(zooKeeper.getChildren().forPath(settings.root() + "/blobs/deleted")).isEmpty();
    }

    @Test
    void aReaderInAnotherProcessKeepsTheLedgerOfADeletedBlob() throws Exception {
        BookKeeperBlobs store = openAnother();
        BookKeeperBlobs other = openAnother();
        long id = write(store, 50_000);
        BlobReader reader = other.open(id);

        store.delete(id);
        other.sweep();
        store.sweep();

        assertThat(reader.read(0, 50_000).remaining()).isEqualTo(50_000);
        assertThatThrownBy(() -> other.open(id)).isInstanceOf(CorruptionException.class);
        Reference.reachabilityFence(reader);
        other.close();
        store.sweep();
        assertThat(ledgers()).isEmpty();
    }

    @Test
    void deletedBlobsThatACrashLeftGoAtTheNextOpening() throws Exception {
        BookKeeperBlobs store = openAnother();
        long id = write(store, 50_000);
        BlobReader reader = store.open(id);
        store.delete(id);
        store.sweep();
        assertThat(ledgers()).hasSize(1);
        Reference.reachabilityFence(reader);
        store.close();

        openAnother().sweep();

        assertThat(ledgers()).isEmpty();
    }

    @Test
    void blocksAreReadAtRandomAndInOrder() {
        BlobStore store = reopen();
        var random = new Random(7);
        List<byte[]> blocks = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        long id;
        try (BlobWriter writer = store.create()) {
            for (int count = 0; count < 300; count++) {
                byte[] block = new byte[1 + random.nextInt(count % 50 == 0 ? 700_000 : 20_000)];
                random.nextBytes(block);
                offsets.add(writer.offset());
                blocks.add(block);
                writer.write(block);
            }
            writer.seal();
            id = writer.id();
        }
        BlobReader reader = store.open(id);
        for (int block = 0; block < blocks.size(); block++) {
            check(reader, blocks, offsets, block);
        }
        for (int read = 0; read < 300; read++) {
            check(reader, blocks, offsets, random.nextInt(blocks.size()));
        }
        long size = offsets.getLast() + blocks.getLast().length;
        ByteBuffer all = reader.read(0, (int) size);
        for (byte[] block : blocks) {
            assertThat(all.slice(all.position(), block.length)).isEqualTo(ByteBuffer.wrap(block));
            all.position(all.position() + block.length);
        }
        assertThat(all.remaining()).isZero();
    }

    private static void check(
            BlobReader reader, List<byte[]> blocks, List<Long> offsets, int block) {
        byte[] expected = blocks.get(block);
        assertThat(reader.read(offsets.get(block), expected.length))
                .isEqualTo(ByteBuffer.wrap(expected));
    }

    @Test
    void withOneBookieLessThanTheEnsembleBlobsAreStillWritten() throws Exception {
        BlobStore store = reopen();
        long before = write(store, 100_000);
        cluster.stopBookie(0);
        try {
            long id = write(store, 100_000);
            assertThat(store.open(id).size()).isEqualTo(100_000);
            assertThat(store.open(before).read(50_000, 50_000).remaining()).isEqualTo(50_000);
        } finally {
            cluster.startBookie(0);
        }
    }

    private static long write(BlobStore store, int bytes) {
        try (BlobWriter writer = store.create()) {
            writer.write(new byte[bytes]);
            writer.seal();
            return writer.id();
        }
    }

    /// Of this test's store.
    private List<Long> ledgers() throws Exception {
        List<Long> ours = new ArrayList<>();
        byte[] name = (settings.root() + "/blobs").getBytes();
        try (var all = bookKeeper.newListLedgersOp().execute().get()) {
            for (long ledgerId : all.toIterable()) {
                // One that is deleted meanwhile has none.
                var metadata =
                        bookKeeper.getLedgerMetadata(ledgerId).exceptionally(_ -> null).get();
                if (metadata != null
                        && Arrays.equals(metadata.getCustomMetadata().get("cleave-blobs"), name)) {
                    ours.add(ledgerId);
                }
            }
        }
        return ours;
    }
}
