package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.bookkeeper.ZooKeeperNodes.Text;

import java.util.concurrent.locks.ReentrantLock;

/// Timestamps that grow strictly over all processes that ever ask, close to wall time in
/// microseconds.
///
/// ZooKeeper has the end of what was leased; a process leases a span by moving it, and gives
/// timestamps out of its span without asking again. What it has not used when it ends is nobody's.
/// Threads: any.
public final class ZooKeeperTimestamps {
    private static final String NODE = "timestamps";

    private final Env env;
    private final ZooKeeperNodes nodes;
    private final long spanMicros;
    private final ReentrantLock lock = new ReentrantLock();

    /// The last that was given out, and where the lease ends.
    @GuardedBy("lock")
    private long last;

    @GuardedBy("lock")
    private long to;

    ZooKeeperTimestamps(Env env, ZooKeeperNodes nodes, long spanMicros) {
        Check.that(spanMicros > 0, "a span of %d", spanMicros);
        this.env = env;
        this.nodes = nodes;
        this.spanMicros = spanMicros;
    }

    /// Greater than every one before, of whatever process asked before this call.
    public long next() {
        lock.lock();
        try {
            long wanted = Math.max(last + 1, env.wallMicros());
            if (wanted >= to) {
                wanted = lease(wanted);
            }
            last = wanted;
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    /// Leases a span that begins here, or later when others have leased further.
    @GuardedBy("lock")
    private long lease(long wanted) {
        nodes.make(NODE, "0");
        while (true) {
            Text before = nodes.read(NODE).orElseThrow();
            long from = Math.max(wanted, Long.parseLong(before.text()));
            long end = from + spanMicros;
            if (nodes.replace(NODE, before.version(), Long.toString(end))) {
                to = end;
                return from;
            }
        }
    }
}
