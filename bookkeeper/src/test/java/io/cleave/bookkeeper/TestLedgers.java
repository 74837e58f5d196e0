package io.cleave.bookkeeper;

import io.cleave.bookkeeper.dev.FreePort;

import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// A ZooKeeper and three bookies in this process, on free ports and in a folder that goes with
/// them. Nothing is synced, unless it is asked for: it is for what they do, not for what survives a
/// crash.
///
/// Starting takes a second or two, so one serves all tests of a class, each below a root of its own
/// ([#newSettings]).
public final class TestLedgers implements AutoCloseable {
    private static final int TICK_MILLIS = 500;

    private final Path folder;
    private final boolean haveOwnHosts;
    private final boolean areSynced;
    private final List<ServerConfiguration> configurations = new ArrayList<>();
    private final int zooKeeperPort = freePort();
    private final List<EmbeddedServer> bookies = new ArrayList<>();
    private final AtomicInteger roots = new AtomicInteger();
    private ZooKeeperServer zooKeeper;
    private NIOServerCnxnFactory connections;

    private TestLedgers(int bookieCount, boolean haveOwnHosts, boolean areSynced) throws Exception {
        this.haveOwnHosts = haveOwnHosts;
        this.areSynced = areSynced;
        folder = Files.createTempDirectory("ledgers");
        startZooKeeper();
        for (int bookie = 0; bookie < bookieCount; bookie++) {
            configurations.add(configuration(bookie, freePort()));
        }
        if (bookieCount > 0) {
            BookKeeperAdmin.initNewCluster(configurations.getFirst());
        }
        for (int bookie = 0; bookie < bookieCount; bookie++) {
            bookies.add(null);
            startBookie(bookie);
        }
    }

    public static TestLedgers start() {
        return start(3);
    }

    /// None, where only ZooKeeper is of interest.
    public static TestLedgers start(int bookies) {
        return start(bookies, false, false);
    }

    /// Each bookie syncs its journal before it acknowledges, as a real one does.
    static TestLedgers startSynced() {
        return start(3, false, true);
    }

    /// Each bookie on a host of its own ([#host]), as far as others can see.
    static TestLedgers startOnHosts(int bookies) {
        return start(bookies, true, false);
    }

    private static TestLedgers start(int bookies, boolean haveOwnHosts, boolean areSynced) {
        try {
            return new TestLedgers(bookies, haveOwnHosts, areSynced);
        } catch (Exception e) {
            throw new IllegalStateException("no ledgers for this test", e);
        }
    }

    /// As `host:port`.
    public String zooKeeper() {
        return "127.0.0.1:" + zooKeeperPort;
    }

    static String host(int bookie) {
        return "127.0.0." + (bookie + 1);
    }

    /// For a database that nobody else of this test uses.
    public BookKeeperSettings newSettings() {
        return BookKeeperSettings.at(zooKeeper(), "/test-" + roots.incrementAndGet());
    }

    /// A plain client; the caller closes it.
    public BookKeeper newClient() throws Exception {
        return BookKeeper.newBuilder(newSettings().clientConfiguration()).build();
    }

    /// Its data stays, as after a restart of its machine.
    public void startZooKeeper() throws Exception {
        Path data = Files.createDirectories(folder.resolve("zookeeper"));
        zooKeeper = new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MILLIS);
        zooKeeper.setMinSessionTimeout(TICK_MILLIS);
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress("127.0.0.1", zooKeeperPort), 1000);
        connections.startup(zooKeeper);
    }

    public void stopZooKeeper() {
        connections.shutdown();
    }

    /// Ends a client's session as if it had been silent for too long.
    public void expire(long sessionId) {
        zooKeeper.closeSession(sessionId);
    }

    /// With the data and the port that it had before.
    public void startBookie(int bookie) throws Exception {
        var server = EmbeddedServer.builder(new BookieConfiguration(configurations.get(bookie)));
        EmbeddedServer started = server.build();
        started.getLifecycleComponentStack().start();
        bookies.set(bookie, started);
    }

    public void stopBookie(int bookie) {
        bookies.get(bookie).getLifecycleComponentStack().close();
    }

    /// It takes requests and does not answer them, as a process that was stopped by SIGSTOP.
    void suspendBookie(int bookie) {
        bookies.get(bookie).getBookieService().getServer().suspendProcessing();
    }

    void resumeBookie(int bookie) {
        bookies.get(bookie).getBookieService().getServer().resumeProcessing();
    }

    /// The number of the bookie that has this port.
    int bookieOf(int port) {
        for (int bookie = 0; bookie < configurations.size(); bookie++) {
            if (configurations.get(bookie).getBookiePort() == port) {
                return bookie;
            }
        }
        throw new IllegalArgumentException("no bookie has port " + port);
    }

    private ServerConfiguration configuration(int bookie, int port) throws IOException {
        Path data = Files.createDirectories(folder.resolve("bookie-" + bookie));
        var configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(
                BookKeeperSettings.at(zooKeeper(), "/unused").metadataServiceUri());
        configuration.setBookiePort(port);
        configuration.setAdvertisedAddress(haveOwnHosts ? host(bookie) : "127.0.0.1");
        configuration.setAllowLoopback(true);
        configuration.setJournalDirName(data.resolve("journal").toString());
        configuration.setLedgerDirNames(new String[] {data.resolve("ledgers").toString()});
        configuration.setJournalSyncData(areSynced);
        configuration.setJournalFlushWhenQueueEmpty(true);
        configuration.setJournalMaxGroupWaitMSec(1);
        // Small: three of them share the heap of a test.
        configuration.setProperty("journalPreAllocSizeMB", 1);
        configuration.setProperty("journalMaxSizeMB", 64);
        configuration.setEntryLogFilePreAllocationEnabled(false);
        configuration.setSkipListSizeLimit(8 << 20);
        configuration.setMaxReadsInProgressLimit(0);
        configuration.setDiskUsageThreshold(0.999f);
        configuration.setDiskUsageWarnThreshold(0.998f);
        configuration.setDiskLowWaterMarkUsageThreshold(0.998f);
        configuration.setHttpServerEnabled(false);
        configuration.setProperty("autoRecoveryDaemonEnabled", false);
        return configuration;
    }

    @Override
    public void close() {
        bookies.forEach(bookie -> bookie.getLifecycleComponentStack().close());
        stopZooKeeper();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int freePort() {
        try {
            return FreePort.choose(
                    ThreadLocalRandom.current(),
                    port ->
                            configurations.stream()
                                    .anyMatch(other -> other.getBookiePort() == port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
