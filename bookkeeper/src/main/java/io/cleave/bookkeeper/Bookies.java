package io.cleave.bookkeeper;

import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;
import org.apache.curator.framework.CuratorFramework;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Which bookies there are, as they have entered themselves in ZooKeeper, and whether a ledger has
/// as many copies on them as it could.
///
/// A ledger goes on while the ack quorum answers, so one whose bookie went while it was written has
/// a copy less from there on, and one that was made when there were few bookies has from its
/// beginning. Threads: any. What ZooKeeper cannot do is a [io.cleave.log.LogException].
final class Bookies {
    private static final String AVAILABLE = "available";

    /// Among those that are available, the folder of those that only give what they have.
    private static final String READ_ONLY = "readonly";

    private final ZooKeeperNodes nodes;
    private final BookKeeperSettings settings;

    Bookies(CuratorFramework zooKeeper, BookKeeperSettings settings) {
        nodes = new ZooKeeperNodes(zooKeeper, settings.ledgersRoot());
        this.settings = settings;
    }

    /// Those that take new ledgers.
    Set<BookieId> writable() {
        return nodes.children(AVAILABLE).stream()
                .filter(name -> !name.equals(READ_ONLY))
                .map(BookieId::parse)
                .collect(Collectors.toSet());
    }

    /// Whether a new ledger would have more copies than this one gets for what is written now.
    boolean isShort(LedgerMetadata ledger, Set<BookieId> writable) {
        List<BookieId> ensemble = ledger.getAllEnsembles().lastEntry().getValue();
        long alive = ensemble.stream().filter(writable::contains).count();
        return alive < Math.min(settings.ensemble(), writable.size());
    }
}
