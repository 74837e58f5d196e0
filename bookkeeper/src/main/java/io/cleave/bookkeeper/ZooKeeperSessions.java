package io.cleave.bookkeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryUntilElapsed;

import java.time.Duration;

/// Opens connections to ZooKeeper according to the settings.
public final class ZooKeeperSessions {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

    private ZooKeeperSessions() {}

    /// Connects in the background, and again whenever the connection is lost. The caller must close
    /// the client. An operation is repeated for as long as writes may stall.
    public static CuratorFramework open(BookKeeperSettings settings) {
        CuratorFramework zooKeeper =
                CuratorFrameworkFactory.builder()
                        .connectString(settings.servers())
                        .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
                        .connectionTimeoutMs((int) CONNECT.toMillis())
                        .retryPolicy(
                                new RetryUntilElapsed(
                                        (int) settings.stallTimeout().toMillis(),
                                        (int) BETWEEN_TRIES.toMillis()))
                        .build();
        zooKeeper.start();
        return zooKeeper;
    }
}
