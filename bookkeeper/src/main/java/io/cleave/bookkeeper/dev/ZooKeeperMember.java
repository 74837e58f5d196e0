package io.cleave.bookkeeper.dev;

import io.cleave.bookkeeper.BookKeeperSettings;

import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs the cluster's only ZooKeeper in this process. It syncs its writes, as in production, and is
/// ready when bookies can register.
final class ZooKeeperMember {
    private static final int TICK_MILLIS = 500;
    private static final int MOST_CONNECTIONS = 1000;
    private static final int KEPT_SNAPSHOTS = 3;
    private static final int PURGE_HOURS = 1;

    private ZooKeeperMember() {}

    /// Returns when the server has ended.
    static void run(int port, Path data) throws Exception {
        File folder = Files.createDirectories(data).toFile();
        new DatadirCleanupManager(folder, folder, KEPT_SNAPSHOTS, PURGE_HOURS).start();
        var server = new ZooKeeperServer(new FileTxnSnapLog(folder, folder), TICK_MILLIS, "");
        var connections = new NIOServerCnxnFactory();
        connections.configure(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MOST_CONNECTIONS);
        connections.startup(server);
        // True if the ledgers' nodes did not exist yet.
        boolean isNew = BookKeeperAdmin.initNewCluster(configuration(port));
        Ready.tell(isNew ? "a new cluster" : "the cluster as it was");
        connections.join();
    }

    private static ServerConfiguration configuration(int port) {
        var configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(
                BookKeeperSettings.at("localhost:" + port, "/unused").metadataServiceUri());
        return configuration;
    }
}
