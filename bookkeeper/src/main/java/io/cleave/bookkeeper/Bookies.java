package io.cleave.bookkeeper;

import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.curator.framework.CuratorFramework;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The bookies that are registered in ZooKeeper, and whether a ledger has as many copies on them as
/// it could have.
///
/// A ledger continues while the ack quorum answers. So if a bookie goes away while the ledger is
/// written, later entries have one copy less. A ledger created when there were few bookies has
/// fewer copies from the beginning. Threads: any. Failures of ZooKeeper are a
/// [io.cleave.log.LogException].
final class Bookies {
    private static final String AVAILABLE = "available";

    /// The folder, among the available bookies, of bookies that only serve reads.
    private static final String READ_ONLY = "readonly";

    private final ZooKeeperNodes nodes;
    private final BookKeeperSettings settings;

    Bookies(CuratorFramework zooKeeper, BookKeeperSettings settings) {
        nodes = new ZooKeeperNodes(zooKeeper, settings.ledgersRoot());
        this.settings = settings;
    }

    /// The bookies that take new ledgers.
    Set<BookieId> writable() {
        return nodes.children(AVAILABLE).stream()
                .filter(name -> !name.equals(READ_ONLY))
                .map(BookieId::parse)
                .collect(Collectors.toSet());
    }

    /// Whether a new ledger would have more copies than this one gets for new entries.
    boolean isShort(LedgerMetadata ledger, Set<BookieId> writable) {
        List<BookieId> ensemble = ledger.getAllEnsembles().lastEntry().getValue();
        long alive = ensemble.stream().filter(writable::contains).count();
        return alive < Math.min(settings.ensemble(), writable.size());
    }
}
