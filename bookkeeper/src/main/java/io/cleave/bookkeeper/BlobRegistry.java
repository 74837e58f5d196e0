package io.cleave.bookkeeper;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import org.apache.zookeeper.data.Stat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names of the blobs: a blob is sealed when, and only when, its name is in ZooKeeper. Every
/// change is one transaction that succeeds only in the expected state. Threads: any.
///
/// A store chooses the ids of its ledgers: a random number of the store, followed by the id of the
/// blob. So a ledger left by a crash can be found without listing all ledgers of the cluster.
/// BookKeeper refuses an id that is in use.
final class BlobRegistry {
    /// The bits of a ledger's id that hold the blob's id.
    private static final int ID_BITS = 40;

    /// The bits of a ledger's id that hold the store's number. Ledger ids are below 2^62, and the
    /// smallest is far above the ids that BookKeeper assigns itself.
    private static final int STORE_BITS = 22;

    private static final Pattern ROOT_TEXT =
            Pattern.compile("cleave blobs, format 1, store ([0-9]{1,7})");

    private final BlobNodes nodes;
    private final BlobRuns runs;
    private final long store;

    private BlobRegistry(BlobNodes nodes, BlobRuns runs, long store) {
        this.nodes = nodes;
        this.runs = runs;
        this.store = store;
    }

    /// Opens the registry at its root, or creates it.
    static BlobRegistry open(BlobNodes nodes, BlobRuns runs, RandomGenerator random)
            throws IOException {
        long chosen = random.nextLong(1, 1L << STORE_BITS);
        nodes.ensure(nodes.root(), "cleave blobs, format 1, store " + chosen);
        nodes.ensure(nodes.nextId(), "1");
        nodes.ensure(nodes.runs(), "");
        nodes.ensure(nodes.holders(), "");
        nodes.ensure(nodes.sealed(), "");
        nodes.ensure(nodes.deleted(), "");
        String text = nodes.read(nodes.root()).map(BlobNodes.Read::text).orElse("");
        Matcher parts = ROOT_TEXT.matcher(text);
        if (!parts.matches()) {
            throw new CorruptionException(
                    nodes.root(), 0, "this is no blob store of a known format: '" + text + "'");
        }
        return new BlobRegistry(nodes, runs, Long.parseLong(parts.group(1)));
    }

    /// The right to write one blob.
    record Ticket(BlobRuns.Id id, long ledgerId) {
        long blobId() {
            return id.blobId();
        }
    }

    Ticket ticket() throws IOException {
        BlobRuns.Id id = runs.next();
        return new Ticket(id, ledgerId(id.blobId()));
    }

    long ledgerId(long blobId) {
        Check.that(blobId >> ID_BITS == 0, "blob %d", blobId);
        return store << ID_BITS | blobId;
    }

    /// Gives the blob its name, if the run still belongs to this process.
    void seal(Ticket ticket) throws IOException {
        String run = nodes.run(ticket.id.runFrom());
        String path = nodes.sealed(ticket.blobId());
        while (true) {
            nodes.ensureContainer(nodes.sealedFolder(ticket.blobId()));
            boolean done =
                    nodes.doAll(
                            nodes.check(run, 0), nodes.create(path, "ledger " + ticket.ledgerId));
            if (done || nodes.stat(path).isPresent()) {
                break;
            }
            if (nodes.stat(run).filter(stat -> stat.getVersion() == 0).isEmpty()) {
                runs.lose(ticket.id);
                throw new IOException(
                        "another process took this one for dead and removed what it was writing");
            }
            // ZooKeeper removed the empty folder between the two steps.
        }
        runs.end(ticket.id);
    }

    /// Removes a name that was given by a failed [#seal].
    void forget(Ticket ticket) throws IOException {
        nodes.remove(nodes.sealed(ticket.blobId()));
    }

    /// Called when a writer has ended without leaving a ledger.
    void give(Ticket ticket) {
        runs.end(ticket.id);
    }

    boolean isSealed(long blobId) throws IOException {
        return nodes.stat(nodes.sealed(blobId)).isPresent();
    }

    /// In ascending order.
    List<Long> sealed() throws IOException {
        List<Long> all = new ArrayList<>();
        for (String folder : nodes.children(nodes.sealed())) {
            for (String name : nodes.children(nodes.sealed() + "/" + folder)) {
                all.add(BlobNodes.id(name));
            }
        }
        all.sort(null);
        return all;
    }

    /// Removes the name of a blob and notes that its ledger must be deleted. Returns false if it
    /// has no name.
    boolean delete(long blobId) throws IOException {
        return nodes.doAll(
                nodes.delete(nodes.sealed(blobId)),
                nodes.create(nodes.deleted(blobId), "ledger " + ledgerId(blobId)));
    }

    /// Deleted blobs whose ledgers still exist, with the ZooKeeper transaction id of each deletion.
    Map<Long, Long> deleted() throws IOException {
        Map<Long, Long> all = new TreeMap<>();
        for (String name : nodes.children(nodes.deleted())) {
            Optional<Stat> stat = nodes.stat(nodes.deleted() + "/" + name);
            stat.ifPresent(found -> all.put(BlobNodes.id(name), found.getCzxid()));
        }
        return all;
    }

    boolean isDeleted(long blobId) throws IOException {
        return nodes.stat(nodes.deleted(blobId)).isPresent();
    }

    /// Called when the ledger of a deleted blob is gone.
    void buried(long blobId) throws IOException {
        nodes.remove(nodes.deleted(blobId));
    }
}
