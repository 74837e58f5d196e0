package io.cleave.bookkeeper;

import io.cleave.base.SystemEnv;
import io.cleave.log.LogOptions;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;

import java.util.Set;

/// A process' connections to a cluster, as a node has them.
record TestClients(BookKeeperSettings settings, BookKeeper bookKeeper, CuratorFramework zooKeeper)
        implements AutoCloseable {
    static TestClients open(BookKeeperSettings settings) throws Exception {
        return new TestClients(
                settings,
                BookKeeper.newBuilder(settings.clientConfiguration()).build(),
                ZooKeeperSessions.open(settings));
    }

    BookKeeperLog log(String path, LogOptions options) {
        return new BookKeeperLog(
                zooKeeper, bookKeeper, settings, path, new SystemEnv(), options, _ -> {});
    }

    BookKeeperBlobs blobs(String path) {
        return new BookKeeperBlobs(
                new SystemEnv(), bookKeeper, zooKeeper, settings, path, Set.of(""));
    }

    @Override
    public void close() throws Exception {
        zooKeeper.close();
        bookKeeper.close();
    }
}
