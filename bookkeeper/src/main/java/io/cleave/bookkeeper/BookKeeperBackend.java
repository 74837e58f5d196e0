package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.bookkeeper.ZooKeeperCoordination.Member;
import io.cleave.bookkeeper.ZooKeeperCoordination.Registration;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.node.NodeOptions;
import io.cleave.node.Storage;
import io.cleave.time.Leadership;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The storage of a node that leads a database: logs and blobs in ledgers, and the connections that
/// they share. Below the root in ZooKeeper, `logs/ID` are the logs of the cells; `blobs/system` and
/// `blobs/user` are the names of the blobs.
final class BookKeeperBackend implements Storage.Opened {
    /// A log is trimmed by whole ledgers, so ledgers should not be large. But each ledger costs a
    /// node in ZooKeeper, a few milliseconds in which appends wait, and a few dozen in which
    /// followers wait. At 10 MB per second that is less than one percent of the time.
    private static final LogOptions LOG_OPTIONS =
            new LogOptions(128L << 20, LogOptions.DEFAULT.queueBytes());

    private static final String LOGS = "logs";

    /// Has the catalog.
    private static final long SYSTEM_CELL = 0;

    private static final System.Logger LOGGER = System.getLogger(BookKeeperBackend.class.getName());

    private final Env env;
    private final BookKeeperSettings settings;
    private final NodeOptions options;
    private final Set<String> media;
    private final Consumer<Throwable> fatal;
    private final CuratorFramework zooKeeper;
    private final ZooKeeperCoordination coordination;
    private final ZooKeeperLease lease;
    private final BookKeeper client;
    private final List<BookKeeperBlobs> blobs = new ArrayList<>();
    private @Nullable Registration registration;

    BookKeeperBackend(
            Env env,
            BookKeeperSettings settings,
            NodeOptions options,
            Set<String> media,
            Consumer<Throwable> fatal,
            CuratorFramework zooKeeper,
            ZooKeeperCoordination coordination,
            ZooKeeperLease lease,
            BookKeeper client) {
        this.env = env;
        this.settings = settings;
        this.options = options;
        this.media = media;
        this.fatal = fatal;
        this.zooKeeper = zooKeeper;
        this.coordination = coordination;
        this.lease = lease;
        this.client = client;
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Log openLog(long cellId) {
        return new BookKeeperLog(
                zooKeeper, client, settings, path(cellId), env, LOG_OPTIONS, fatal);
    }

    private String path(long cellId) {
        return settings.root() + "/" + LOGS + "/" + cellId;
    }

    /// Another node may lead by now. It removes the same log: the catalog says so, and only the
    /// leader could write that.
    @Override
    public void removeLog(long cellId) {
        var node = new LedgerListNode(zooKeeper, path(cellId));
        try {
            new LedgerChain(node, new Ledgers(client, settings)).remove();
        } catch (LogException e) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "the log of cell %d could not be removed: %s"
                            .formatted(cellId, e.getMessage()));
        }
    }

    @Override
    public Set<Long> cellIds() {
        return coordination.nodes().children(LOGS).stream()
                .map(Long::valueOf)
                .filter(cellId -> cellId != SYSTEM_CELL)
                .collect(Collectors.toSet());
    }

    @Override
    public BlobStore systemBlobs() {
        return open("system");
    }

    @Override
    public BlobStore userBlobs() {
        return open("user");
    }

    @Override
    public Leadership leadership() {
        return lease::certainUntilNanos;
    }

    private BlobStore open(String name) {
        var opened =
                new BookKeeperBlobs(
                        env,
                        client,
                        zooKeeper,
                        settings,
                        settings.root() + "/blobs/" + name,
                        media);
        blobs.add(opened);
        return opened;
    }

    @Override
    public void serving(String endpoint) {
        registration =
                coordination.register(
                        new Member(
                                "1",
                                options.replicas().zone(),
                                ZooKeeperHolder.hostName(),
                                endpoint));
    }

    @Override
    public void close() {
        closeQuietly(() -> blobs.forEach(BookKeeperBlobs::close));
        Registration entered = registration;
        if (entered != null) {
            closeQuietly(entered::close);
        }
        closeQuietly(lease::close);
        try {
            client.close();
        } catch (BKException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        zooKeeper.close();
    }

    /// Resources that are lost with a connection are released without help.
    private static void closeQuietly(Runnable closing) {
        try {
            closing.run();
        } catch (LogException | UncheckedIOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing", e);
        }
    }
}
