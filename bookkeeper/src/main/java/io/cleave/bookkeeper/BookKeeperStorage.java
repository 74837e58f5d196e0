package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;
import io.cleave.node.Storage;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A database on BookKeeper and ZooKeeper. One node at a time leads it; the lease `database` says
/// which. If the leader dies on another machine, a new node waits until its session has expired.
public final class BookKeeperStorage implements Storage {
    private static final String LEASE = "database";
    private static final String FORMAT = "format";

    /// The format of the nodes below the root in ZooKeeper and of the ledgers.
    private static final String PRESENT_FORMAT = "1";

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final BookKeeperSettings settings;

    public BookKeeperStorage(BookKeeperSettings settings) {
        this.settings = settings;
    }

    /// Creates the storage from the text that a user gave.
    public static BookKeeperStorage parse(String text) throws StartException {
        try {
            return new BookKeeperStorage(BookKeeperSettings.parse(text));
        } catch (IllegalArgumentException e) {
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Opened open(Env env, NodeOptions options, Set<String> media, Consumer<Throwable> fatal)
            throws StartException {
        CuratorFramework zooKeeper = ZooKeeperSessions.open(settings);
        try {
            awaitConnection(zooKeeper);
            var coordination = new ZooKeeperCoordination(env, zooKeeper, settings);
            checkFormat(coordination);
            ZooKeeperLease lease = lead(env, coordination, fatal);
            try {
                // Nothing fails after this: from here on the `BookKeeperBackend` owns the client.
                BookKeeper client = connect(zooKeeper, coordination, options.replicas().zone());
                return new BookKeeperBackend(
                        env,
                        settings,
                        options,
                        media,
                        fatal,
                        zooKeeper,
                        coordination,
                        lease,
                        client);
            } catch (StartException | RuntimeException e) {
                lease.close();
                throw e;
            }
        } catch (LogException e) {
            zooKeeper.close();
            throw new StartException("cannot open " + settings.name() + ": " + e.getMessage());
        } catch (StartException | RuntimeException e) {
            zooKeeper.close();
            throw e;
        }
    }

    private void awaitConnection(CuratorFramework zooKeeper) throws StartException {
        try {
            int seconds = (int) settings.stallTimeout().toSeconds();
            if (!zooKeeper.blockUntilConnected(seconds, TimeUnit.SECONDS)) {
                throw new StartException(
                        "cannot reach ZooKeeper at %s within %d s: look whether it is running and whether hosts and ports are right"
                                .formatted(settings.servers(), seconds));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while connecting to ZooKeeper");
        }
    }

    private void checkFormat(ZooKeeperCoordination coordination) throws StartException {
        coordination.nodes().make(FORMAT, PRESENT_FORMAT);
        String found = coordination.nodes().read(FORMAT).orElseThrow().text();
        if (!found.equals(PRESENT_FORMAT)) {
            throw new StartException(
                    "%s has format %s, and this program knows %s: start a newer one"
                            .formatted(settings.name(), found, PRESENT_FORMAT));
        }
    }

    /// Waits a little longer than the session of a dead node lasts.
    private ZooKeeperLease lead(
            Env env, ZooKeeperCoordination coordination, Consumer<Throwable> fatal)
            throws StartException {
        long deadline = env.nanoTime() + settings.sessionTimeout().toNanos() * 3 / 2;
        while (true) {
            var outcome = coordination.lead(LEASE, () -> fatal.accept(replaced()));
            switch (outcome) {
                case ZooKeeperLease.Outcome.Granted(ZooKeeperLease lease) -> {
                    return lease;
                }
                case ZooKeeperLease.Outcome.Refused(String by) -> {
                    if (env.nanoTime() - deadline >= 0) {
                        throw new StartException(
                                "another node leads %s: %s. Stop it, or give this one a path of its own"
                                        .formatted(settings.name(), by));
                    }
                    pause(env);
                }
            }
        }
    }

    private FencedException replaced() {
        return new FencedException("another node leads " + settings.name() + " by now");
    }

    private static void pause(Env env) throws StartException {
        try {
            env.sleep(BETWEEN_TRIES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while waiting to lead");
        }
    }

    private BookKeeper connect(
            CuratorFramework zooKeeper, ZooKeeperCoordination coordination, String zone)
            throws StartException {
        String layout = settings.ledgersRoot() + "/LAYOUT";
        try {
            if (zooKeeper.checkExists().forPath(layout) == null) {
                throw new StartException(
                        "ZooKeeper at %s knows no bookies under %s: start them (bookkeeper shell initnewcluster, bookkeeper bookie), or give the right ?ledgers="
                                .formatted(settings.servers(), settings.ledgersRoot()));
            }
            return BookKeeper.newBuilder(settings.clientConfiguration())
                    .dnsResolver(new ZoneMapping(coordination, ZooKeeperHolder.hostName(), zone))
                    .build();
        } catch (StartException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while connecting to BookKeeper");
        } catch (BKException | IOException e) {
            throw new StartException(
                    "cannot use BookKeeper under %s of ZooKeeper at %s: %s"
                            .formatted(settings.ledgersRoot(), settings.servers(), e.getMessage()));
        } catch (Exception e) {
            throw new LogException("reading " + layout + " of ZooKeeper failed: " + e, e);
        }
    }
}
