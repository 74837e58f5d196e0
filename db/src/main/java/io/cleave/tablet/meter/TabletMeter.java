package io.cleave.tablet.meter;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.meter.KeyReservoir.Sample;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;

/// Measures what the load on a tablet costs: CPU time, waiting commits, and which keys are
/// accessed.
///
/// The key of one operation in [#ONE_KEY_IN] is noted. One in [#ONE_IN] is measured and counts for
/// all of them; of very frequent reads fewer are measured ([MeasuredReads]). All other operations
/// only pay for a random number. The measured code does not block. Keys are noted only if someone
/// looks at them: not in a read replica, and not during a replay.
///
/// Threads: any.
public final class TabletMeter {
    /// One row read or written in this many is measured. With fewer, a hot tablet would not be
    /// noticed within a few seconds. Reading the clock twice takes as long as the read that is
    /// measured.
    static final int ONE_IN = 64;

    /// The key of one row read or written in this many is noted. Noting a key is cheaper than
    /// reading the clock, and more keys give a better split point.
    static final int ONE_KEY_IN = 16;

    /// Shares of the rows of a scan whose keys are noted and that are measured. Such rows come in
    /// hundreds.
    static final int ONE_SCANNED_KEY_IN = 64;

    static final int ONE_SCANNED_IN = 256;

    /// One scan start in this many is noted and measured; one batch in this many is noted. They are
    /// rarer than rows, and each costs more.
    static final int ONE_SCAN_IN = 8;

    /// One batch in this many is measured. A batch takes about ten microseconds, and reading the
    /// clock twice takes more than one.
    static final int ONE_BATCH_IN = 16;

    /// Start values of operations that are not measured: one without notes, and one with only its
    /// key noted.
    private static final long NOTHING = Long.MIN_VALUE;

    private static final long KEY_ONLY = Long.MIN_VALUE + 1;

    /// Shorter keys need no exact count, because nobody is warned about them.
    private static final int COUNTED_KEY_BYTES = 2 << 10;

    private final Env env;
    private final KeyReservoir keys;
    private final MeasuredReads measuredReads = new MeasuredReads();
    private final LongAdder overheadNanos = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder rejects = new LongAdder();
    private final SampledRows lookups = new SampledRows();
    private final SampledRows scanned = new SampledRows();

    /// Set when someone has looked at the keys, and so will look again.
    private volatile boolean looked;

    /// Computes the size of a key's values. Set by code that knows the table's columns.
    private volatile ToIntFunction<Bytes> keySizes = Bytes::length;

    // Written by the cell only, under its lock.
    private volatile long longestKeyBytes;
    private volatile long largestChangeBytes;

    public TabletMeter(Env env, long seed) {
        this.env = env;
        keys = new KeyReservoir(seed);
    }

    /// Totals since the process started.
    ///
    /// @param cpuNanos spent on reads and writes, in the tablet and for requests on their way to it
    ///   and back
    /// @param waitNanos that commits waited because of this tablet
    /// @param rejects commits refused because of it
    /// @param longestKeyBytes the longest key that was written
    /// @param largestChangeBytes the largest row change that was written
    public record Totals(
            long cpuNanos,
            long waitNanos,
            long rejects,
            long longestKeyBytes,
            long largestChangeBytes) {}

    public Totals totals() {
        return new Totals(
                keys.cpuNanos(),
                waitNanos.sum(),
                rejects.sum(),
                longestKeyBytes,
                largestChangeBytes);
    }

    /// The counters, which need what the tablet counts itself, too.
    ///
    /// @param writtenBytes keys and changes
    public CounterHistory.Totals counterTotals(
            long readRows, long scannedRows, long updates, long deletes, long writtenBytes) {
        return new CounterHistory.Totals(
                readRows,
                scannedRows,
                updates,
                deletes,
                writtenBytes,
                rejects.sum(),
                keys.cpuNanos(Access.READ),
                keys.cpuNanos(Access.SCANNED)
                        + keys.cpuNanos(Access.RANGE)
                        + keys.cpuNanos(Access.BATCH),
                lookups.totals(),
                scanned.totals());
    }

    /// CPU time measured in the tablet itself.
    public long insideNanos() {
        return keys.cpuNanos() - overheadNanos.sum();
    }

    /// Adds this tablet's share of the CPU time spent on requests elsewhere: receiving, planning,
    /// committing and answering them.
    public void addOverhead(Access access, long nanos) {
        overheadNanos.add(nanos);
        keys.spent(access, nanos);
    }

    /// Sets the function that computes the size of long keys.
    public void countKeys(ToIntFunction<Bytes> sizes) {
        keySizes = sizes;
    }

    /// Must be called regularly by code that uses the keys. Starts noting keys, and drops old ones.
    public void look() {
        looked = true;
        keys.letGo(env.wallMicros());
    }

    /// Keys of the last seconds, the oldest first.
    public List<Sample> keys() {
        return keys.samples(env.wallMicros());
    }

    /// Whether the key of the next read is to be noted.
    public boolean isNoted() {
        return env.isOneIn(ONE_KEY_IN);
    }

    /// Starts a noted read. Some of them are measured.
    public long beginRead() {
        int oneIn = measuredReads.oneIn(env.recentMicros());
        return env.isOneIn(ONE_IN / ONE_KEY_IN * oneIn) ? env.cpuNanos() : KEY_ONLY;
    }

    /// Ends a noted read.
    ///
    /// @param rowBytes the size of the row; 0 if it was not found
    /// @param isInFiles whether its newest version is in a file
    public void endRead(long began, Bytes key, long rowBytes, boolean isInFiles) {
        note(key, Access.READ);
        lookups.add(isInFiles, rowBytes);
        if (began != KEY_ONLY) {
            long now = env.recentMicros();
            keys.spent(Access.READ, since(began, ONE_IN * measuredReads.oneIn(now)));
            measuredReads.count(now);
        }
    }

    /// Whether the key of the next row of a scan is to be noted.
    public boolean isScannedNoted() {
        return env.isOneIn(ONE_SCANNED_KEY_IN);
    }

    /// Starts the step to a noted row of a scan.
    public long beginScanned() {
        return env.isOneIn(ONE_SCANNED_IN / ONE_SCANNED_KEY_IN) ? env.cpuNanos() : KEY_ONLY;
    }

    public void endScanned(long began, Bytes key, long rowBytes, boolean isInFiles) {
        long nanos = since(began, ONE_SCANNED_IN);
        note(key, Access.SCANNED);
        scanned.add(isInFiles, rowBytes);
        keys.spent(Access.SCANNED, nanos);
    }

    /// Starts to measure the start of a scan.
    public long begin() {
        return env.cpuNanos();
    }

    /// Starts a batch of a scan. Some batches are measured.
    public long beginBatch() {
        return env.isOneIn(ONE_BATCH_IN) ? env.cpuNanos() : NOTHING;
    }

    public void endBatch(long began) {
        if (began != NOTHING) {
            keys.spent(Access.BATCH, since(began, ONE_BATCH_IN));
        }
    }

    /// Notes a key that a batch has passed. The cost of scans is spread over all keys that they
    /// pass, and not attributed to their start.
    public void noteBatch(Bytes key) {
        note(key, Access.BATCH);
    }

    /// Whether the start of a scan, or the position of its batch, is to be noted.
    public boolean isScanNoted() {
        return env.isOneIn(ONE_SCAN_IN);
    }

    public void endScanStart(long began, Bytes from) {
        long nanos = since(began, ONE_SCAN_IN);
        note(from, Access.RANGE);
        keys.spent(Access.RANGE, nanos);
    }

    /// Large writes are always noted and measured, small ones only sometimes.
    public long beginWrites(int rows) {
        if (!env.isOneIn(oneNotedIn(rows))) {
            return NOTHING;
        }
        return env.isOneIn(oneMeasuredIn(rows)) ? env.cpuNanos() : KEY_ONLY;
    }

    private static int oneNotedIn(int rows) {
        return Math.max(1, ONE_KEY_IN / Math.max(1, rows));
    }

    /// Share of the noted writes that are measured.
    private static int oneMeasuredIn(int rows) {
        return Math.max(1, ONE_IN / Math.max(ONE_KEY_IN, rows));
    }

    /// The cell's lock is held.
    public void endWrites(long began, List<KeyedChange> changes, Access access) {
        if (began == NOTHING || changes.isEmpty()) {
            return;
        }
        int rows = changes.size();
        long nanos = since(began, oneNotedIn(rows) * oneMeasuredIn(rows));
        for (int row = env.random().nextInt(Math.min(rows, ONE_KEY_IN));
                row < rows;
                row += ONE_KEY_IN) {
            note(changes.get(row).key(), access);
        }
        keys.spent(access, nanos);
    }

    /// The cell's lock is held.
    public void noteSizes(KeyedChange change) {
        int keyBytes = change.key().length();
        if (keyBytes > longestKeyBytes) {
            longestKeyBytes =
                    keyBytes <= COUNTED_KEY_BYTES
                            ? keyBytes
                            : Math.max(longestKeyBytes, keySizes.applyAsInt(change.key()));
        }
        if (change.change().length() > largestChangeBytes) {
            largestChangeBytes = change.change().length();
        }
    }

    public void waited(long nanos) {
        waitNanos.add(nanos);
    }

    public void rejected() {
        rejects.increment();
    }

    private void note(Bytes key, Access access) {
        if (looked) {
            keys.add(key, access, env.recentMicros());
        }
    }

    /// The CPU time since `began`, multiplied by the number of operations that it stands for.
    private long since(long began, int times) {
        // The difference may be negative because of the clock.
        return began == KEY_ONLY ? 0 : Math.max(0, env.cpuNanos() - began) * times;
    }
}
