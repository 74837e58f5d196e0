package io.cleave.bookkeeper.dev;

import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.bookkeeper.BookKeeperSettings;

import org.apache.bookkeeper.common.component.ComponentStarter;
import org.apache.bookkeeper.common.component.LifecycleComponent;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/// Runs a bookie in this process. It syncs its journal before it acknowledges, and is configured
/// for a small machine and short waits. A file `FOLDER.conf` next to its folder may contain
/// BookKeeper settings as `NAME=VALUE` lines; they override those here.
final class BookieMember {
    private static final int SESSION_MILLIS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);

    private BookieMember() {}

    static void run(int zooKeeperPort, int port, Path data) throws Exception {
        String zooKeeper = "localhost:" + zooKeeperPort;
        var configuration = configuration(zooKeeper, port, data);
        // The bookie starts in parallel with its ZooKeeper. Everything that needs no ZooKeeper is
        // done by then.
        awaitLedgers(zooKeeper);
        LifecycleComponent server =
                EmbeddedServer.builder(new BookieConfiguration(configuration))
                        .build()
                        .getLifecycleComponentStack();
        var ended = ComponentStarter.startComponent(server);
        Ready.tell("bookie on port " + port);
        ended.get();
        // A bookie that cannot write is useless, so the process ends for any reason.
        Runtime.getRuntime().halt(1);
    }

    private static ServerConfiguration configuration(String zooKeeper, int port, Path folder)
            throws IOException {
        var configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(
                BookKeeperSettings.at(zooKeeper, "/unused").metadataServiceUri());
        configuration.setZkTimeout(SESSION_MILLIS);
        configuration.setBookiePort(port);
        configuration.setAdvertisedAddress("127.0.0.1");
        configuration.setAllowLoopback(true);
        configuration.setJournalDirName(folder.resolve("journal").toString());
        configuration.setLedgerDirNames(new String[] {folder.resolve("ledgers").toString()});
        // An append waits only for its sync.
        configuration.setJournalFlushWhenQueueEmpty(true);
        configuration.setJournalMaxGroupWaitMSec(1);
        // Without this, reads wait for each other, which on a small machine takes longer than the
        // reads.
        configuration.setMaxReadsInProgressLimit(0);
        configuration.setProperty("journalPreAllocSizeMB", 4);
        configuration.setProperty("journalMaxSizeMB", 256);
        configuration.setEntryLogFilePreAllocationEnabled(false);
        configuration.setEntryLogSizeLimit(256L << 20);
        // A developer's disk may be almost full without harm.
        configuration.setDiskUsageThreshold(0.99f);
        configuration.setDiskUsageWarnThreshold(0.98f);
        configuration.setDiskLowWaterMarkUsageThreshold(0.98f);
        configuration.setMinUsableSizeForEntryLogCreation(512L << 20);
        configuration.setHttpServerEnabled(false);
        configuration.setStatisticsEnabled(false);
        // There is no spare bookie to copy to, and a killed one comes back.
        configuration.setProperty("autoRecoveryDaemonEnabled", false);
        Properties own = own(folder);
        own.stringPropertyNames()
                .forEach(name -> configuration.setProperty(name, own.getProperty(name)));
        return configuration;
    }

    private static Properties own(Path folder) throws IOException {
        var own = new Properties();
        Path file = folder.resolveSibling(folder.getFileName() + ".conf");
        if (Files.exists(file)) {
            try (var reader = Files.newBufferedReader(file)) {
                own.load(reader);
            }
        }
        return own;
    }

    @SuppressWarnings("try") // an interrupt ends this process, wherever it comes
    private static void awaitLedgers(String zooKeeper) throws Exception {
        Env env = new SystemEnv();
        try (var client = new ZooKeeper(zooKeeper, SESSION_MILLIS, _ -> {})) {
            long until = env.nanoTime() + PATIENCE.toNanos();
            while (!hasLedgers(client)) {
                if (env.nanoTime() > until) {
                    throw new IllegalStateException("no ZooKeeper at " + zooKeeper);
                }
                env.sleep(STEP);
            }
        }
    }

    private static boolean hasLedgers(ZooKeeper client) throws Exception {
        try {
            return client.exists("/ledgers/LAYOUT", false) != null;
        } catch (KeeperException.ConnectionLossException _) {
            return false;
        }
    }
}
