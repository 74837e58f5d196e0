package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.bookkeeper.ZooKeeperNodes.Text;

import java.util.concurrent.locks.ReentrantLock;

/// Assigns timestamps close to wall time in microseconds. No two processes ever assign the same
/// one, and those of one process grow strictly.
///
/// ZooKeeper stores the end of the leased timestamps. A process leases a span by moving this end,
/// and assigns timestamps from its span without asking again. Unused timestamps of a process that
/// has ended are lost. So a process that starts assigns greater timestamps than every process that
/// has ended before. But timestamps of two running processes are not in order, because one may have
/// leased its span earlier. A leader that assigns all timestamps assigns them in order; a former
/// leader may assign smaller ones for a while. Threads: any.
public final class ZooKeeperTimestamps {
    private static final String NODE = "timestamps";

    private final Env env;
    private final ZooKeeperNodes nodes;
    private final long spanMicros;
    private final ReentrantLock lock = new ReentrantLock();

    /// The last assigned timestamp.
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

    /// Greater than every timestamp that this object has assigned, and than those of every process
    /// that had ended when this object assigned its first one.
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

    /// Leases a span that begins at `wanted`, or later if others have leased further.
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
