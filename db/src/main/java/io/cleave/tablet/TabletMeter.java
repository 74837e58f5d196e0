package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.tablet.KeyReservoir.Access;
import io.cleave.tablet.KeyReservoir.Sample;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/// What the load on a tablet costs: CPU time, commits that wait, and which keys are asked for.
///
/// Of one operation in [#ONE_KEY_IN] the key is noted, and one in [#ONE_IN] is measured and counts
/// as many times; the others pay for a number drawn by chance. What is measured does not wait.
///
/// Threads: any.
public final class TabletMeter {
    /// Of rows that are read or written: measured.
    static final int ONE_IN = 64;

    /// The same: noted. The clock costs more than a key does, and where to cut is told the better
    /// the more keys are known.
    static final int ONE_KEY_IN = 16;

    /// Of scans that begin: they are fewer, and each costs more.
    static final int ONE_SCAN_IN = 8;

    /// What is said of the beginning of an operation of which nothing is noted, and of one of which
    /// only the key is.
    private static final long NOTHING = Long.MIN_VALUE;

    private static final long KEY_ONLY = Long.MIN_VALUE + 1;

    private final Env env;
    private final KeyReservoir keys;

    /// CPU time by kind of access, and keys that were noted.
    private final Map<Access, LongAdder> cpuNanos = new EnumMap<>(Access.class);

    private final Map<Access, LongAdder> noted = new EnumMap<>(Access.class);
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder rejects = new LongAdder();

    // Written by the cell only, under its lock.
    private volatile long longestKeyBytes;
    private volatile long largestChangeBytes;

    TabletMeter(Env env, long seed) {
        this.env = env;
        keys = new KeyReservoir(seed);
        for (Access access : Access.values()) {
            cpuNanos.put(access, new LongAdder());
            noted.put(access, new LongAdder());
        }
    }

    /// Totals since the process started.
    ///
    /// @param cpuNanos spent for reads and writes
    /// @param waitNanos that commits were held back for this tablet
    /// @param rejects commits refused for it
    /// @param longestKeyBytes that was written
    /// @param largestChangeBytes of a row that was written
    public record Totals(
            long cpuNanos,
            long waitNanos,
            long rejects,
            long longestKeyBytes,
            long largestChangeBytes) {}

    public Totals totals() {
        return new Totals(
                cpuNanos.values().stream().mapToLong(LongAdder::sum).sum(),
                waitNanos.sum(),
                rejects.sum(),
                longestKeyBytes,
                largestChangeBytes);
    }

    /// Keys of the last seconds, the oldest first.
    public List<Sample> keys() {
        return keys.samples(env.wallMicros());
    }

    /// The CPU time that a key of these stands for; the same for all while too little is known.
    public double nanos(Access access) {
        boolean isKnown = true;
        for (Access each : Access.values()) {
            isKnown &= sum(noted, each) == 0 || sum(cpuNanos, each) > 0;
        }
        return isKnown && sum(noted, access) > 0
                ? (double) sum(cpuNanos, access) / sum(noted, access)
                : 1;
    }

    private static long sum(Map<Access, LongAdder> sums, Access access) {
        return Objects.requireNonNull(sums.get(access)).sum();
    }

    private static void add(Map<Access, LongAdder> sums, Access access, long what) {
        Objects.requireNonNull(sums.get(access)).add(what);
    }

    /// Whether the key of the read that comes now is to be noted.
    public boolean isNoted() {
        return env.isOneIn(ONE_KEY_IN);
    }

    /// A read that is noted begins; some of those are measured.
    public long beginRead() {
        return env.isOneIn(ONE_IN / ONE_KEY_IN) ? env.cpuNanos() : KEY_ONLY;
    }

    public void endRead(long began, Bytes key) {
        count(began, ONE_IN, Access.READ);
        note(key, Access.READ);
    }

    /// What is measured always begins.
    public long begin() {
        return env.cpuNanos();
    }

    /// A batch of a scan; all of them are measured.
    public void endBatch(long began) {
        count(began, 1, Access.RANGE);
    }

    boolean isScanMeasured() {
        return env.isOneIn(ONE_SCAN_IN);
    }

    void endScanStart(long began, Bytes from) {
        count(began, ONE_SCAN_IN, Access.RANGE);
        note(from, Access.RANGE);
    }

    /// Many rows are noted and measured always, few of them now and then.
    long beginWrites(int rows) {
        if (!env.isOneIn(oneNotedIn(rows))) {
            return NOTHING;
        }
        return env.isOneIn(oneMeasuredIn(rows)) ? env.cpuNanos() : KEY_ONLY;
    }

    private static int oneNotedIn(int rows) {
        return Math.max(1, ONE_KEY_IN / Math.max(1, rows));
    }

    /// Of those that are noted.
    private static int oneMeasuredIn(int rows) {
        return Math.max(1, ONE_IN / Math.max(ONE_KEY_IN, rows));
    }

    /// Under the cell's lock.
    void endWrites(long began, List<KeyedChange> changes, Access access) {
        if (began == NOTHING || changes.isEmpty()) {
            return;
        }
        int rows = changes.size();
        count(began, oneNotedIn(rows) * oneMeasuredIn(rows), access);
        for (int row = env.random().nextInt(Math.min(rows, ONE_KEY_IN));
                row < rows;
                row += ONE_KEY_IN) {
            note(changes.get(row).key(), access);
        }
    }

    /// Under the cell's lock.
    void noteSizes(KeyedChange change) {
        if (change.key().length() > longestKeyBytes) {
            longestKeyBytes = change.key().length();
        }
        if (change.change().length() > largestChangeBytes) {
            largestChangeBytes = change.change().length();
        }
    }

    void waited(long nanos) {
        waitNanos.add(nanos);
    }

    void rejected() {
        rejects.increment();
    }

    private void note(Bytes key, Access access) {
        keys.add(key, access, env.recentMicros());
        add(noted, access, 1);
    }

    private void count(long began, int times, Access access) {
        if (began != KEY_ONLY) {
            // The clock may have come in between.
            add(cpuNanos, access, Math.max(0, env.cpuNanos() - began) * times);
        }
    }
}
