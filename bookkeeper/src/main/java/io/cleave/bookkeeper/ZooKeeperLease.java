package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.bookkeeper.ZooKeeperNodes.Text;
import io.cleave.log.LogException;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The right to lead something, for one process at a time, with an epoch that grows with each
/// holder.
///
/// In ZooKeeper, a node has the epoch, and a node below it names the holder and goes away with the
/// holder's session. Both change in one transaction. If a session expires and nobody else takes the
/// lease, nothing is lost: the holder enters itself again with the same epoch. If another process
/// takes the lease, it has another epoch, and the old holder is told.
///
/// The holder proves its lease regularly, with a transaction of its session that succeeds only if
/// the epoch's node is unchanged. From then on, nobody else can get the lease until the session
/// timeout has passed. For most of that time the lease is certain. A process that was paused sees
/// from its clock that this time has passed. In addition, the fence of the log keeps its writes
/// out.
///
/// Threads: any.
public final class ZooKeeperLease implements AutoCloseable {
    private static final String HOLDER = "/holder";
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    /// The share of the session timeout during which the lease is certain. The rest allows for
    /// ZooKeeper servers that learn late of a session's activity, and for clocks that run
    /// differently.
    private static final double CERTAIN = 2.0 / 3;

    /// The number of proofs in that time. The lease becomes uncertain if all of them fail.
    private static final int PROOFS = 4;

    private final Env env;
    private final ZooKeeperNodes nodes;
    private final String name;
    private final Duration sessionTimeout;
    private final ZooKeeperHolder holder = ZooKeeperHolder.here();
    private final Runnable lost;
    private final ConnectionStateListener listener = (_, _) -> wake();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Set once, before other threads see the lease.
    private long epoch;

    /// The version of the epoch's node as this lease left it.
    @GuardedBy("lock")
    private int version;

    @GuardedBy("lock")
    private long session;

    /// Whether the connection has changed since the keeping thread last checked.
    @GuardedBy("lock")
    private boolean isWoken;

    /// Whether the lease is closed or lost.
    private volatile boolean ended;

    private volatile long certainUntilNanos;

    /// The answer to a request for a lease.
    public sealed interface Outcome {
        record Granted(ZooKeeperLease lease) implements Outcome {}

        /// Another process has the lease.
        record Refused(String holder) implements Outcome {}
    }

    private ZooKeeperLease(
            Env env, ZooKeeperNodes nodes, String name, Duration sessionTimeout, Runnable lost) {
        this.env = env;
        this.nodes = nodes;
        this.name = name;
        this.sessionTimeout = sessionTimeout;
        this.lost = lost;
        certainUntilNanos = env.nanoTime();
    }

    /// Takes the lease if it is free, or if its holder is known to be dead. `lost` is called once,
    /// on its own thread, if another process has taken it.
    static Outcome take(
            Env env, ZooKeeperNodes nodes, String name, Duration sessionTimeout, Runnable lost) {
        var lease = new ZooKeeperLease(env, nodes, name, sessionTimeout, lost);
        Optional<String> other = lease.take();
        if (other.isPresent()) {
            return new Outcome.Refused(other.get());
        }
        nodes.zooKeeper().getConnectionStateListenable().addListener(lease.listener);
        env.spawn("lease-" + name, lease::keep);
        return new Outcome.Granted(lease);
    }

    /// Returns the other holder, if there is one.
    private Optional<String> take() {
        nodes.make(name, "0");
        while (true) {
            long askedNanos = env.nanoTime();
            // The epoch is read first: a process that becomes the holder after this read changes
            // it.
            Text before = nodes.read(name).orElseThrow();
            Optional<Text> found = nodes.read(name + HOLDER);
            if (found.isPresent() && !isOurs(found.get())) {
                Optional<ZooKeeperHolder> other = ZooKeeperHolder.decode(found.get().text());
                if (other.isEmpty() || !other.get().isKnownDead()) {
                    return Optional.of(other.map(Object::toString).orElse(found.get().text()));
                }
            }
            long next = Long.parseLong(before.text()) + 1;
            if (enter(before.version(), Long.toString(next), found)) {
                epoch = next;
                if (isEntered()) {
                    proven(askedNanos);
                }
                return Optional.empty();
            }
        }
    }

    private boolean isOurs(Text found) {
        return found.text().equals(holder.encode());
    }

    /// Writes epoch and holder, if the epoch's node still has this version and the holder is still
    /// the one that was found, if any.
    private boolean enter(int expected, String epochText, Optional<Text> before) {
        return nodes.run(
                "taking",
                name,
                () -> {
                    CuratorFramework zooKeeper = nodes.zooKeeper();
                    String path = nodes.path(name + HOLDER);
                    List<CuratorOp> steps = new ArrayList<>();
                    steps.add(
                            zooKeeper
                                    .transactionOp()
                                    .setData()
                                    .withVersion(expected)
                                    .forPath(nodes.path(name), ZooKeeperNodes.bytes(epochText)));
                    if (before.isPresent()) {
                        steps.add(zooKeeper.transactionOp().delete().forPath(path));
                    }
                    steps.add(
                            zooKeeper
                                    .transactionOp()
                                    .create()
                                    .withMode(CreateMode.EPHEMERAL)
                                    .forPath(path, ZooKeeperNodes.bytes(holder.encode())));
                    try {
                        zooKeeper.transaction().forOperations(steps);
                        return true;
                    } catch (KeeperException.BadVersionException
                            | KeeperException.NodeExistsException
                            | KeeperException.NoNodeException e) {
                        // If the connection is lost after the transaction, the repeated transaction
                        // fails.
                        return isHolder();
                    }
                });
    }

    /// Whether this lease is the holder, in the current session.
    private boolean isHolder() {
        long present = presentSession();
        return nodes.read(name + HOLDER)
                .filter(found -> isOurs(found) && found.session() == present)
                .isPresent();
    }

    public long epoch() {
        return epoch;
    }

    /// Whether nobody else can have the lease yet: it is not lost, and ZooKeeper answered recently.
    public boolean isHeld() {
        return env.nanoTime() - certainUntilNanos < 0;
    }

    /// The time until which nobody else can have the lease, as [Env#nanoTime].
    public long certainUntilNanos() {
        return certainUntilNanos;
    }

    /// Called when the lease was certainly held at some moment after `sinceNanos`.
    private void proven(long sinceNanos) {
        int negotiated = nodes.zooKeeper().getZookeeperClient().getLastNegotiatedSessionTimeoutMs();
        long timeout = sessionTimeout.toNanos();
        if (negotiated > 0) {
            timeout = Math.min(timeout, Duration.ofMillis(negotiated).toNanos());
        }
        lock.lock();
        try {
            if (!ended) {
                certainUntilNanos = sinceNanos + (long) (timeout * CERTAIN);
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            isWoken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        try {
            Duration betweenProofs =
                    Duration.ofNanos((long) (sessionTimeout.toNanos() * CERTAIN / PROOFS));
            while (!ended) {
                long askedNanos = env.nanoTime();
                boolean isProven = false;
                try {
                    isProven = isProven() || isEntered();
                } catch (LogException e) {
                    // ZooKeeper is unavailable.
                }
                if (isProven) {
                    proven(askedNanos);
                }
                pause(isProven && isHeld() ? betweenProofs : BETWEEN_TRIES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pause(Duration most) throws InterruptedException {
        lock.lock();
        try {
            if (!isWoken && !ended) {
                env.await(changed, most);
            }
            isWoken = false;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a transaction of the session in which this lease was entered found the epoch
    /// unchanged. Then the session was alive, and so was the holder's node.
    private boolean isProven() {
        int expected;
        long entered;
        lock.lock();
        try {
            expected = version;
            entered = session;
        } finally {
            lock.unlock();
        }
        return nodes.run(
                "checking",
                name,
                () -> {
                    CuratorFramework zooKeeper = nodes.zooKeeper();
                    try {
                        zooKeeper
                                .transaction()
                                .forOperations(
                                        zooKeeper
                                                .transactionOp()
                                                .check()
                                                .withVersion(expected)
                                                .forPath(nodes.path(name)));
                    } catch (KeeperException.BadVersionException e) {
                        return false;
                    }
                    // An expired session never comes back. So it was the same session all the time.
                    return presentSession() == entered;
                });
    }

    /// Enters this process as the holder again if necessary, and returns whether it is the holder.
    /// Ends the lease if another process is or was the holder.
    private boolean isEntered() {
        Text now = nodes.read(name).orElseThrow();
        Optional<Text> found = nodes.read(name + HOLDER);
        boolean isOurs = found.isPresent() && isOurs(found.get());
        if (!now.text().equals(Long.toString(epoch)) || (found.isPresent() && !isOurs)) {
            end();
            lost.run();
            return false;
        }
        if (isOurs && found.get().session() == presentSession()) {
            lock.lock();
            try {
                // Needed also after a transaction whose answer was lost.
                version = now.version();
                session = found.get().session();
            } finally {
                lock.unlock();
            }
            return isProven();
        }
        // A holder's node of the previous session could go away at any moment, so it is replaced.
        // The call of `isEntered` then finds the new node.
        return enter(now.version(), now.text(), found) && isEntered();
    }

    private long presentSession() {
        return nodes.run(
                "asking for the session of",
                name,
                () -> nodes.zooKeeper().getZookeeperClient().getZooKeeper().getSessionId());
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            certainUntilNanos = env.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        nodes.zooKeeper().getConnectionStateListenable().removeListener(listener);
    }

    /// Gives up the lease, so that the next holder need not wait.
    @Override
    public void close() {
        if (ended) {
            return;
        }
        end();
        try {
            leave();
        } catch (LogException e) {
            // The holder's node goes away with the session.
        }
    }

    /// Removes the holder's node if it belongs to this lease and nobody has changed the epoch
    /// since.
    private void leave() {
        Text now = nodes.read(name).orElseThrow();
        if (!isHolder()) {
            return;
        }
        nodes.run(
                "giving up",
                name,
                () -> {
                    CuratorFramework zooKeeper = nodes.zooKeeper();
                    try {
                        zooKeeper
                                .transaction()
                                .forOperations(
                                        zooKeeper
                                                .transactionOp()
                                                .check()
                                                .withVersion(now.version())
                                                .forPath(nodes.path(name)),
                                        zooKeeper
                                                .transactionOp()
                                                .delete()
                                                .forPath(nodes.path(name + HOLDER)));
                        return true;
                    } catch (KeeperException.BadVersionException
                            | KeeperException.NoNodeException e) {
                        return false;
                    }
                });
    }
}
