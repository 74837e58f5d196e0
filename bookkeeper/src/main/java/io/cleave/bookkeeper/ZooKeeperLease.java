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
/// In ZooKeeper it is a node with the epoch, and below it one with the holder that goes with the
/// holder's session. Both change in one step. A session that expired while nobody else took the
/// lease is no loss: the holder enters itself again, with the same epoch. Who has taken it has
/// another epoch, and the old holder is told.
///
/// The holder proves its lease to itself again and again, by a step of its session that fits only
/// the epoch's node as it left it. Nobody else can have the lease until the session has expired,
/// which takes its timeout from then on: for most of that time the lease is certain. A process that
/// was paused finds by its clock that this time has passed. What it writes is held off by the fence
/// of the log besides.
///
/// Threads: any.
public final class ZooKeeperLease implements AutoCloseable {
    private static final String HOLDER = "/holder";
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    /// Of the session's timeout. What is left is for servers of ZooKeeper that tell each other late
    /// whom they have heard of, and for clocks that do not run alike.
    private static final double CERTAIN = 2.0 / 3;

    /// So many proofs may be missed before the lease is not certain any more.
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

    /// Set once, before anyone else sees it.
    private long epoch;

    /// Of the epoch's node as this lease left it, and the session in which it did.
    @GuardedBy("lock")
    private int version;

    @GuardedBy("lock")
    private long session;

    /// The connection has changed, and nobody has looked yet what that means.
    @GuardedBy("lock")
    private boolean isWoken;

    /// It is over: closed, or another's.
    private volatile boolean ended;

    private volatile long certainUntilNanos;

    /// What became of a request for a lease.
    public sealed interface Outcome {
        record Granted(ZooKeeperLease lease) implements Outcome {}

        /// Another process has it.
        record Held(String by) implements Outcome {}
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

    /// Takes the lease if nobody has it, or one who is known to be no more. `lost` is called once,
    /// on a thread of its own, when another has taken it.
    static Outcome take(
            Env env, ZooKeeperNodes nodes, String name, Duration sessionTimeout, Runnable lost) {
        var lease = new ZooKeeperLease(env, nodes, name, sessionTimeout, lost);
        Optional<String> other = lease.take();
        if (other.isPresent()) {
            return new Outcome.Held(other.get());
        }
        nodes.zooKeeper().getConnectionStateListenable().addListener(lease.listener);
        env.spawn("lease-" + name, lease::keep);
        return new Outcome.Granted(lease);
    }

    /// Who has it, if another does.
    private Optional<String> take() {
        nodes.make(name, "0");
        while (true) {
            long askedNanos = env.nanoTime();
            // First the epoch: whoever becomes the holder after this look changes it.
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

    /// Writes epoch and holder, if the epoch is still that of this version and the holder is the
    /// one that was found, if any.
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
                        // A connection that was lost after the step makes a second try fail.
                        return isHolder();
                    }
                });
    }

    /// Whether the holder is this lease, in the session that there is now.
    private boolean isHolder() {
        long present = presentSession();
        return nodes.read(name + HOLDER)
                .filter(found -> isOurs(found) && found.session() == present)
                .isPresent();
    }

    public long epoch() {
        return epoch;
    }

    /// Whether nobody else can have it yet: it was not lost, and ZooKeeper was heard of lately.
    public boolean isHeld() {
        return env.nanoTime() - certainUntilNanos < 0;
    }

    /// Up to when nobody else can have it, as [Env#nanoTime].
    public long certainUntilNanos() {
        return certainUntilNanos;
    }

    /// It was this process' own at some moment after this one.
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
                    // ZooKeeper is away.
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

    /// Whether a step of the session in which this lease was entered found the epoch as it was left
    /// then: so the session was alive, and with it the holder's node.
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
                    // A session that has expired never comes back: it was this one all the time.
                    return presentSession() == entered;
                });
    }

    /// Whether this process is the holder again. It is over when another is, or was.
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
                // Also after a step whose answer was lost.
                version = now.version();
                session = found.get().session();
            } finally {
                lock.unlock();
            }
            return isProven();
        }
        // One of the session before would go with it at any moment. What was entered now is found
        // by the next look.
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

    /// Gives it up, so that the next one need not wait.
    @Override
    public void close() {
        if (ended) {
            return;
        }
        end();
        try {
            leave();
        } catch (LogException e) {
            // It goes with the session.
        }
    }

    /// Removes the holder's node if it is this lease's: nobody else has come since.
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
