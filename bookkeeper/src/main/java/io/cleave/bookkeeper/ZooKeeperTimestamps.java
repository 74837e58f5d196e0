package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.bookkeeper.ZooKeeperNodes.Text;

import java.util.concurrent.locks.ReentrantLock;

/// Timestamps close to wall time in microseconds: no two processes ever give out the same, and
/// those of one process grow strictly.
///
/// ZooKeeper has the end of what was leased; a process leases a span by moving it, and gives
/// timestamps out of its span without asking again. What it has not used when it ends is nobody's.
/// So a process that begins gives out greater ones than all that have ended before; but two that
/// run at the same time are not in order, for one may have leased its span before the other did. A
/// leader that gives out timestamps for all has them in order; whoever was leader before may still
/// give out smaller ones for a while. Threads: any.
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

    /// Greater than every one that this object gave out, and than all of a process that had ended
    /// when this object first gave out one.
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
