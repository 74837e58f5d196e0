package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.LogException;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.zookeeper.CreateMode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The state on which the nodes of a cluster must agree, in ZooKeeper:
///
/// ```
/// ROOT/nodes/ID            a running node: its zone, host and endpoint; goes with its session
/// ROOT/leases/NAME         who leads what, with an epoch: see ZooKeeperLease
/// ROOT/settings/NAME       a setting of the whole cluster
/// ```
///
/// Threads: any. If ZooKeeper does not answer in time, calls throw a [LogException].
public final class ZooKeeperCoordination {
    private static final String NODES = "nodes";
    private static final String LEASES = "leases/";
    private static final String SETTINGS = "settings";

    private final Env env;
    private final BookKeeperSettings settings;
    private final ZooKeeperNodes nodes;

    /// A running node.
    ///
    /// @param zone its availability zone; empty if it has none
    public record Member(String id, String zone, String host, String endpoint) {
        private String encode() {
            return String.join("\n", zone, host, endpoint);
        }

        private static Member decode(String id, String text) {
            String[] lines = text.split("\n", -1);
            return lines.length == 3
                    ? new Member(id, lines[0], lines[1], lines[2])
                    : new Member(id, "", "", text);
        }
    }

    /// Does not close `zooKeeper`; it belongs to the caller.
    public ZooKeeperCoordination(Env env, CuratorFramework zooKeeper, BookKeeperSettings settings) {
        this.env = env;
        this.settings = settings;
        nodes = new ZooKeeperNodes(zooKeeper, settings.root());
    }

    ZooKeeperNodes nodes() {
        return nodes;
    }

    /// Registers a node until the registration is closed or this process ends. After an expired
    /// session the node is registered again.
    public Registration register(Member member) {
        nodes.make(NODES, "");
        var entry =
                new PersistentNode(
                        nodes.zooKeeper(),
                        CreateMode.EPHEMERAL,
                        false,
                        nodes.path(NODES + "/" + member.id()),
                        ZooKeeperNodes.bytes(member.encode()));
        Registration registration = () -> leave(entry, member);
        entry.start();
        try {
            long millis = settings.stallTimeout().toMillis();
            boolean entered =
                    nodes.run(
                            "entering",
                            member.id(),
                            () -> entry.waitForInitialCreate(millis, TimeUnit.MILLISECONDS));
            if (!entered) {
                throw new LogException(
                        "entering node %s in ZooKeeper takes longer than %d ms"
                                .formatted(member.id(), millis),
                        new TimeoutException());
            }
        } catch (LogException e) {
            registration.close();
            throw e;
        }
        return registration;
    }

    private static void leave(PersistentNode entry, Member member) {
        try {
            entry.close();
        } catch (IOException e) {
            throw new LogException("leaving " + member.id() + " failed: " + e, e);
        }
    }

    /// Valid until it is closed.
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /// The running nodes, sorted by id.
    public List<Member> members() {
        List<Member> members = new ArrayList<>();
        for (String id : nodes.children(NODES)) {
            nodes.read(NODES + "/" + id)
                    .ifPresent(found -> members.add(Member.decode(id, found.text())));
        }
        return members;
    }

    /// Requests the leadership of `name`: a cell, or a whole database. `lost` is called once if
    /// another process has taken it over.
    public ZooKeeperLease.Outcome lead(String name, Runnable lost) {
        return ZooKeeperLease.take(env, nodes, LEASES + name, settings.sessionTimeout(), lost);
    }

    /// The settings of the cluster, by name.
    public Map<String, String> settings() {
        Map<String, String> found = new TreeMap<>();
        for (String name : nodes.children(SETTINGS)) {
            nodes.read(SETTINGS + "/" + name).ifPresent(text -> found.put(name, text.text()));
        }
        return found;
    }

    /// Changes a setting for all nodes.
    public void set(String name, String value) {
        nodes.put(SETTINGS + "/" + name, value);
    }

    public void unset(String name) {
        nodes.remove(SETTINGS + "/" + name);
    }

    /// Calls `changed` once for each existing setting and after each change, until it is closed.
    public Registration whenSettingsChange(Runnable changed) {
        nodes.make(SETTINGS, "");
        CuratorCache cache = CuratorCache.build(nodes.zooKeeper(), nodes.path(SETTINGS));
        cache.listenable()
                .addListener(
                        CuratorCacheListener.builder().forAll((_, _, _) -> changed.run()).build());
        cache.start();
        return cache::close;
    }
}
