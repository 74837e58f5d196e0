package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.log.LogException;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

import java.util.Optional;

/// The node of ZooKeeper that holds a [LedgerList]. Threads: any.
final class LedgerListNode {
    /// The version of a node that does not exist yet.
    private static final int ABSENT = -1;

    private final CuratorFramework zooKeeper;
    private final String path;

    /// A list that was read or written, with its version for a later replacement.
    record Versioned(LedgerList list, int version) {}

    LedgerListNode(CuratorFramework zooKeeper, String path) {
        this.zooKeeper = zooKeeper;
        this.path = path;
    }

    String path() {
        return path;
    }

    CuratorFramework zooKeeper() {
        return zooKeeper;
    }

    Versioned read() {
        try {
            // The last change may have reached another server first.
            zooKeeper.sync().forPath(path);
            return readHere();
        } catch (KeeperException.NoNodeException e) {
            return new Versioned(LedgerList.EMPTY, ABSENT);
        } catch (Exception e) {
            throw failed("reading", e);
        }
    }

    private Versioned readHere() throws Exception {
        var stat = new Stat();
        byte[] data = zooKeeper.getData().storingStatIn(stat).forPath(path);
        return new Versioned(LedgerList.decode(path, Bytes.wrap(data)), stat.getVersion());
    }

    /// Returns empty if another process has changed the list meanwhile.
    Optional<Versioned> replace(Versioned expected, LedgerList next) {
        byte[] data = next.encode().array();
        try {
            if (expected.version == ABSENT) {
                zooKeeper.create().creatingParentsIfNeeded().forPath(path, data);
                return Optional.of(new Versioned(next, 0));
            }
            Stat stat = zooKeeper.setData().withVersion(expected.version).forPath(path, data);
            return Optional.of(new Versioned(next, stat.getVersion()));
        } catch (KeeperException.BadVersionException
                | KeeperException.NodeExistsException
                | KeeperException.NoNodeException e) {
            return ownEarlierTry(next);
        } catch (Exception e) {
            throw failed("changing", e);
        }
    }

    /// If the connection is lost after the change, the repeated change fails. Then the list in
    /// ZooKeeper equals `next`, because no two changes are alike.
    private Optional<Versioned> ownEarlierTry(LedgerList next) {
        Versioned found = read();
        return found.list.equals(next) ? Optional.of(found) : Optional.empty();
    }

    /// Whether the list is still unchanged. The answer comes from a quorum of ZooKeeper servers,
    /// while the answer of [#read] comes from one.
    boolean isPresent(Versioned expected) {
        try {
            zooKeeper
                    .transaction()
                    .forOperations(
                            zooKeeper
                                    .transactionOp()
                                    .check()
                                    .withVersion(expected.version)
                                    .forPath(path));
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            return false;
        } catch (Exception e) {
            throw failed("checking", e);
        }
    }

    /// Removes the node, if it is there.
    void remove() {
        try {
            zooKeeper.delete().quietly().forPath(path);
        } catch (Exception e) {
            throw failed("removing", e);
        }
    }

    /// Calls back once, when the node changes or when the connection to ZooKeeper was lost; the
    /// node may have changed then too.
    void whenChanged(Runnable changed) {
        try {
            zooKeeper
                    .checkExists()
                    .usingWatcher(
                            (org.apache.curator.framework.api.CuratorWatcher) _ -> changed.run())
                    .forPath(path);
        } catch (Exception e) {
            throw failed("watching", e);
        }
    }

    private LogException failed(String doing, Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new LogException(doing + " " + path + " of ZooKeeper failed: " + e.getMessage(), e);
    }
}
