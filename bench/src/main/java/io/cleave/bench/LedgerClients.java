package io.cleave.bench;

import io.cleave.base.SystemEnv;
import io.cleave.bookkeeper.BookKeeperBlobs;
import io.cleave.bookkeeper.BookKeeperLog;
import io.cleave.bookkeeper.BookKeeperSettings;
import io.cleave.bookkeeper.ZooKeeperSessions;
import io.cleave.log.LogOptions;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.curator.framework.CuratorFramework;

import java.util.Set;

/// One process's connections to a cluster. The plain client and Cleave's log and blobs share them.
final class LedgerClients implements AutoCloseable {
    /// The setting of a node: a ledger ends after 128 MiB.
    private static final LogOptions LOG_OPTIONS =
            new LogOptions(128L << 20, LogOptions.DEFAULT.queueBytes());

    private final BookKeeperSettings settings;
    private final BookKeeper bookKeeper;
    private final CuratorFramework zooKeeper;

    LedgerClients(BookKeeperSettings settings) throws Exception {
        this.settings = settings;
        bookKeeper = BookKeeper.newBuilder(settings.clientConfiguration()).build();
        zooKeeper = ZooKeeperSessions.open(settings);
    }

    BookKeeper bookKeeper() {
        return bookKeeper;
    }

    WriteHandle newLedger() throws Exception {
        return bookKeeper
                .newCreateLedgerOp()
                .withEnsembleSize(settings.ensemble())
                .withWriteQuorumSize(settings.writeQuorum())
                .withAckQuorumSize(settings.ackQuorum())
                .withDigestType(DigestType.CRC32C)
                .withPassword(new byte[0])
                .execute()
                .get();
    }

    BookKeeperLog log(String path) {
        return new BookKeeperLog(
                zooKeeper,
                bookKeeper,
                settings,
                path,
                new SystemEnv(),
                LOG_OPTIONS,
                failure -> System.err.println("the log failed: " + failure));
    }

    BookKeeperBlobs blobs(String path) {
        return new BookKeeperBlobs(
                new SystemEnv(), bookKeeper, zooKeeper, settings, path, Set.of(""));
    }

    @Override
    public void close() throws BKException {
        zooKeeper.close();
        try {
            bookKeeper.close();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
