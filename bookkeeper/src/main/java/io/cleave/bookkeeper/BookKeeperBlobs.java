package io.cleave.bookkeeper;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobStore;
import io.cleave.blob.BlobWriter;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.curator.framework.CuratorFramework;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/// Blobs as sealed ledgers; their names are in ZooKeeper ([BlobRegistry]). Any number of processes
/// may have the same store open. Threads: any.
///
/// A delete removes the name at once. The ledger is deleted when no process has a reader of it: see
/// [BlobSweep].
public final class BookKeeperBlobs implements BlobStore, AutoCloseable {
    private final String root;
    private final Set<String> media;
    private final BlobLedgers ledgers;
    private final BlobRegistry registry;
    private final BlobRuns runs;
    private final BlobHolders holders;
    private final BlobReaders readers = new BlobReaders();
    private final BlobSweep sweep;

    /// Opens or creates a store, and removes what dead writers left behind. `root` is the store's
    /// own node in ZooKeeper. BookKeeper has one medium for all `media`; a column family may name
    /// any of them.
    public BookKeeperBlobs(
            Env env,
            BookKeeper bookKeeper,
            CuratorFramework zooKeeper,
            BookKeeperSettings settings,
            String root,
            Set<String> media) {
        Check.that(media.contains(DEFAULT_MEDIUM), "the default medium is not among %s", media);
        this.root = root;
        this.media = Set.copyOf(media);
        var nodes = new BlobNodes(zooKeeper, root);
        String holder = BlobNodes.text(env.random().nextLong());
        ledgers = new BlobLedgers(bookKeeper, settings, root);
        runs = new BlobRuns(nodes, holder);
        holders = new BlobHolders(nodes, holder);
        try {
            registry = BlobRegistry.open(nodes, runs, env.random());
            holders.enter();
            runs.removeOrphans(holders::names, this::removeOrphan);
        } catch (IOException e) {
            closeHolder();
            throw new UncheckedIOException("cannot open " + root + ": " + e.getMessage(), e);
        }
        sweep = new BlobSweep(env, registry, holders, readers, ledgers);
        sweep.start();
    }

    private void removeOrphan(long blobId) throws IOException {
        if (!registry.isSealed(blobId) && !registry.isDeleted(blobId)) {
            ledgers.delete(registry.ledgerId(blobId));
        }
    }

    @Override
    public Set<String> media() {
        return media;
    }

    @Override
    public BlobWriter create(String medium) {
        Check.that(media.contains(medium), "there is no medium %s here", medium);
        try {
            return new BookKeeperBlobWriter(ledgers, registry, registry.ticket());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot create a blob in " + root + ": " + e.getMessage(), e);
        }
    }

    @Override
    public BlobReader open(long id) {
        readers.release();
        readers.opening(id);
        boolean isOpen = false;
        try {
            if (!registry.isSealed(id)) {
                throw new CorruptionException(name(id), 0, "this blob is missing");
            }
            ReadHandle ledger = ledgers.open(registry.ledgerId(id));
            try {
                EntryIndex index = BookKeeperBlobReader.readIndex(name(id), ledger);
                var reader = new BookKeeperBlobReader(name(id), ledger, index);
                readers.opened(id, reader, ledger);
                isOpen = true;
                return reader;
            } finally {
                if (!isOpen) {
                    var _ = ledger.closeAsync();
                }
            }
        } catch (IOException e) {
            if (BlobLedgers.isMissing(e) || BlobLedgers.isCorrupt(e)) {
                var corrupt = new CorruptionException(name(id), 0, "its ledger: " + e.getMessage());
                corrupt.initCause(e);
                throw corrupt;
            }
            throw new UncheckedIOException("cannot open " + name(id) + ": " + e.getMessage(), e);
        } finally {
            if (!isOpen) {
                readers.failed(id);
            }
        }
    }

    @Override
    public void delete(long id) {
        try {
            if (registry.delete(id)) {
                sweep.soon();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + name(id) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<Long> list() {
        try {
            return registry.sealed();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + root + ": " + e.getMessage(), e);
        }
    }

    /// Deletes what can be deleted now; for tests.
    void sweep() throws IOException {
        sweep.run();
    }

    private String name(long blobId) {
        return "bookkeeper:" + root + "/" + BlobNodes.text(blobId);
    }

    /// Ends the background work. Readers stay valid as long as the clients passed to the
    /// constructor.
    @Override
    public void close() {
        sweep.close();
        try {
            runs.close();
        } catch (IOException e) {
            // The next process that opens the store looks for orphans in the run.
            System.getLogger(BookKeeperBlobs.class.getName())
                    .log(System.Logger.Level.DEBUG, "while closing " + root, e);
        }
        closeHolder();
    }

    private void closeHolder() {
        try {
            holders.close();
        } catch (IOException e) {
            // The node goes with the session.
            System.getLogger(BookKeeperBlobs.class.getName())
                    .log(System.Logger.Level.DEBUG, "while closing " + root, e);
        }
    }
}
