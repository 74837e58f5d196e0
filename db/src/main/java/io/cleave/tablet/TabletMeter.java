package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.tablet.KeyReservoir.Access;
import io.cleave.tablet.KeyReservoir.Sample;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What the load on a tablet costs: CPU time, commits that wait, and which keys are asked for.
///
/// One operation in [#ONE_IN] is measured, and counts as many times; the others pay for a number
/// drawn by chance. What is measured does not wait.
///
/// Threads: any.
public final class TabletMeter {
    /// Of rows that are read or written.
    static final int ONE_IN = 64;

    /// Of scans that begin: they are fewer, and each costs more.
    static final int ONE_SCAN_IN = 8;

    /// What [#beginWrites] says of writes that are not measured.
    private static final long NOT_MEASURED = Long.MIN_VALUE;

    private final Env env;
    private final KeyReservoir keys;
    private final LongAdder cpuNanos = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder rejects = new LongAdder();

    // Written by the cell only, under its lock.
    private volatile long longestKeyBytes;
    private volatile long largestChangeBytes;

    TabletMeter(Env env, long seed) {
        this.env = env;
        keys = new KeyReservoir(seed);
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
                cpuNanos.sum(),
                waitNanos.sum(),
                rejects.sum(),
                longestKeyBytes,
                largestChangeBytes);
    }

    /// Keys of the last seconds, the oldest first.
    public List<Sample> keys() {
        return keys.samples(env.wallMicros());
    }

    /// Whether the read of a row that comes now is to be measured.
    public boolean isMeasured() {
        return env.isOneIn(ONE_IN);
    }

    public long begin() {
        return env.cpuNanos();
    }

    /// A read of a row that was measured, and stands for others.
    public void endRead(long began, Bytes key) {
        count(began, ONE_IN);
        keys.add(key, Access.READ, env.recentMicros());
    }

    /// A batch of a scan; all of them are measured.
    public void endBatch(long began) {
        count(began, 1);
    }

    boolean isScanMeasured() {
        return env.isOneIn(ONE_SCAN_IN);
    }

    void endScanStart(long began, Bytes from) {
        count(began, ONE_SCAN_IN);
        keys.add(from, Access.RANGE, env.recentMicros());
    }

    /// Many rows are measured always, few of them now and then.
    long beginWrites(int rows) {
        return rows >= ONE_IN || env.isOneIn(ONE_IN / Math.max(rows, 1))
                ? env.cpuNanos()
                : NOT_MEASURED;
    }

    /// Under the cell's lock.
    void endWrites(long began, List<KeyedChange> changes, Access access) {
        if (began != NOT_MEASURED && !changes.isEmpty()) {
            int rows = changes.size();
            count(began, Math.max(1, ONE_IN / rows));
            for (int row = (int) ((began >>> 4) % Math.min(rows, ONE_IN));
                    row >= 0 && row < rows;
                    row += ONE_IN) {
                keys.add(changes.get(row).key(), access, env.recentMicros());
            }
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

    private void count(long began, int times) {
        // The clock may have come in between.
        cpuNanos.add(Math.max(0, env.cpuNanos() - began) * times);
    }
}
