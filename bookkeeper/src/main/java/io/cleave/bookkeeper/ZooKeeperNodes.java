package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.log.LogException;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Small texts in ZooKeeper, below one root. If ZooKeeper fails, calls throw a [LogException].
/// Threads: any.
final class ZooKeeperNodes {
    private final CuratorFramework zooKeeper;
    private final String root;

    /// The text of a node, its version, and the session that owns it (0 if none).
    record Text(String text, int version, long session) {}

    ZooKeeperNodes(CuratorFramework zooKeeper, String root) {
        this.zooKeeper = zooKeeper;
        this.root = root;
    }

    CuratorFramework zooKeeper() {
        return zooKeeper;
    }

    String path(String name) {
        return root + "/" + name;
    }

    Optional<Text> read(String name) {
        return run(
                "reading",
                name,
                () -> {
                    var stat = new Stat();
                    try {
                        byte[] data = zooKeeper.getData().storingStatIn(stat).forPath(path(name));
                        return Optional.of(
                                new Text(
                                        Bytes.wrap(data).utf8(),
                                        stat.getVersion(),
                                        stat.getEphemeralOwner()));
                    } catch (KeeperException.NoNodeException e) {
                        return Optional.empty();
                    }
                });
    }

    List<String> children(String name) {
        return run(
                "reading",
                name,
                () -> {
                    try {
                        List<String> found =
                                new ArrayList<>(zooKeeper.getChildren().forPath(path(name)));
                        found.sort(null);
                        return found;
                    } catch (KeeperException.NoNodeException e) {
                        return List.of();
                    }
                });
    }

    /// Creates the node unless it exists.
    void make(String name, String text) {
        run(
                "making",
                name,
                () -> {
                    try {
                        zooKeeper
                                .create()
                                .creatingParentsIfNeeded()
                                .forPath(path(name), bytes(text));
                    } catch (KeeperException.NodeExistsException e) {
                        return false;
                    }
                    return true;
                });
    }

    /// Creates the node or replaces its text.
    void put(String name, String text) {
        run(
                "changing",
                name,
                () ->
                        zooKeeper
                                .create()
                                .orSetData()
                                .creatingParentsIfNeeded()
                                .forPath(path(name), bytes(text)));
    }

    /// Returns false if the node has another version.
    boolean replace(String name, int version, String text) {
        return run(
                "changing",
                name,
                () -> {
                    try {
                        zooKeeper.setData().withVersion(version).forPath(path(name), bytes(text));
                        return true;
                    } catch (KeeperException.BadVersionException e) {
                        return false;
                    }
                });
    }

    void remove(String name) {
        run(
                "removing",
                name,
                () -> {
                    zooKeeper.delete().quietly().forPath(path(name));
                    return true;
                });
    }

    static byte[] bytes(String text) {
        return Bytes.utf8(text).array();
    }

    @FunctionalInterface
    interface Operation<T> {
        T run() throws Exception;
    }

    <T> T run(String doing, String name, Operation<T> operation) {
        try {
            return operation.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogException("interrupted while " + doing + " " + path(name), e);
        } catch (Exception e) {
            throw new LogException(
                    "%s %s of ZooKeeper failed: %s".formatted(doing, path(name), e.getMessage()),
                    e);
        }
    }
}
