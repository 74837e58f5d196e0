package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.tablet.KeyReservoir.Access;
import io.cleave.tablet.KeyReservoir.Sample;
import io.cleave.tablet.TabletWrites.KeyedChange;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;

/// What the load on a tablet costs: CPU time, commits that wait, and which keys are asked for.
///
/// Of one operation in [#ONE_KEY_IN] the key is noted, and one in [#ONE_IN] is measured and counts
/// as many times, or fewer of reads where there are very many ([MeasuredReads]); the others pay for
/// a number drawn by chance. What is measured does not wait. Keys are noted only where someone
/// looks at them: not in a read replica, nor while a log is replayed.
///
/// Threads: any.
public final class TabletMeter {
    /// Of rows that are read or written: measured. With fewer of them a hot tablet is not seen in
    /// the few seconds that it should be; the two looks at the clock take as long as the read
    /// between them.
    static final int ONE_IN = 64;

    /// The same: noted. The clock costs more than a key does, and where to cut is told the better
    /// the more keys are known.
    static final int ONE_KEY_IN = 16;

    /// Of the rows that a scan comes by one by one: noted, and measured. They come in hundreds.
    static final int ONE_SCANNED_KEY_IN = 64;

    static final int ONE_SCANNED_IN = 256;

    /// Of scans that begin: noted and measured. Of batches: noted. They are fewer, and each costs
    /// more.
    static final int ONE_SCAN_IN = 8;

    /// Of batches: measured. One takes about ten microseconds, and the two looks at the clock more
    /// than one.
    static final int ONE_BATCH_IN = 16;

    /// What is said of the beginning of an operation of which nothing is noted, and of one of which
    /// only the key is.
    private static final long NOTHING = Long.MIN_VALUE;

    private static final long KEY_ONLY = Long.MIN_VALUE + 1;

    /// Shorter keys are not worth counting: nobody is warned of them.
    private static final int COUNTED_KEY_BYTES = 2 << 10;

    private final Env env;
    private final KeyReservoir keys;
    private final MeasuredReads measuredReads = new MeasuredReads();
    private final LongAdder overheadNanos = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder rejects = new LongAdder();

    /// Once it was looked at, it will be again.
    private volatile boolean looked;

    /// How many bytes the values of a key have. Who knows the table's columns says it.
    private volatile ToIntFunction<Bytes> keySizes = Bytes::length;

    // Written by the cell only, under its lock.
    private volatile long longestKeyBytes;
    private volatile long largestChangeBytes;

    TabletMeter(Env env, long seed) {
        this.env = env;
        keys = new KeyReservoir(seed);
    }

    /// Totals since the process started.
    ///
    /// @param cpuNanos spent for reads and writes, here and on the way to here and back
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
                keys.cpuNanos(),
                waitNanos.sum(),
                rejects.sum(),
                longestKeyBytes,
                largestChangeBytes);
    }

    /// CPU time that was measured in the tablet itself.
    public long insideNanos() {
        return keys.cpuNanos() - overheadNanos.sum();
    }

    /// Its share of what was spent for requests elsewhere: for taking them from the network,
    /// planning, committing and answering them.
    public void addOverhead(Access access, long nanos) {
        overheadNanos.add(nanos);
        keys.spent(access, nanos);
    }

    /// From now on long keys are as long as it says.
    public void countKeys(ToIntFunction<Bytes> sizes) {
        keySizes = sizes;
    }

    /// To be called every now and then by who wants to know of keys: they are noted from now on,
    /// and those of a while ago are let go.
    public void look() {
        looked = true;
        keys.letGo(env.wallMicros());
    }

    /// Keys of the last seconds, the oldest first.
    public List<Sample> keys() {
        return keys.samples(env.wallMicros());
    }

    /// Whether the key of the read that comes now is to be noted.
    public boolean isNoted() {
        return env.isOneIn(ONE_KEY_IN);
    }

    /// A read that is noted begins; some of those are measured.
    public long beginRead() {
        int oneIn = measuredReads.oneIn(env.recentMicros());
        return env.isOneIn(ONE_IN / ONE_KEY_IN * oneIn) ? env.cpuNanos() : KEY_ONLY;
    }

    public void endRead(long began, Bytes key) {
        note(key, Access.READ);
        if (began != KEY_ONLY) {
            long now = env.recentMicros();
            keys.spent(Access.READ, since(began, ONE_IN * measuredReads.oneIn(now)));
            measuredReads.count(now);
        }
    }

    /// Whether the key of the row that a scan comes to now is to be noted.
    public boolean isScannedNoted() {
        return env.isOneIn(ONE_SCANNED_KEY_IN);
    }

    /// A step to such a row begins.
    public long beginScanned() {
        return env.isOneIn(ONE_SCANNED_IN / ONE_SCANNED_KEY_IN) ? env.cpuNanos() : KEY_ONLY;
    }

    public void endScanned(long began, Bytes key) {
        long nanos = since(began, ONE_SCANNED_IN);
        note(key, Access.SCANNED);
        keys.spent(Access.SCANNED, nanos);
    }

    /// The start of a scan that is measured begins.
    long begin() {
        return env.cpuNanos();
    }

    /// A batch of a scan begins; some of them are measured.
    public long beginBatch() {
        return env.isOneIn(ONE_BATCH_IN) ? env.cpuNanos() : NOTHING;
    }

    public void endBatch(long began) {
        if (began != NOTHING) {
            keys.spent(Access.BATCH, since(began, ONE_BATCH_IN));
        }
    }

    /// A key that a batch came by, if it is noted: what scans cost is spread over all that they
    /// pass, and not put where they began.
    public void noteBatch(Bytes key) {
        note(key, Access.BATCH);
    }

    /// Whether where a scan begins, or where its batch has come to, is to be noted.
    public boolean isScanNoted() {
        return env.isOneIn(ONE_SCAN_IN);
    }

    void endScanStart(long began, Bytes from) {
        long nanos = since(began, ONE_SCAN_IN);
        note(from, Access.RANGE);
        keys.spent(Access.RANGE, nanos);
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
        long nanos = since(began, oneNotedIn(rows) * oneMeasuredIn(rows));
        for (int row = env.random().nextInt(Math.min(rows, ONE_KEY_IN));
                row < rows;
                row += ONE_KEY_IN) {
            note(changes.get(row).key(), access);
        }
        keys.spent(access, nanos);
    }

    /// Under the cell's lock.
    void noteSizes(KeyedChange change) {
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

    void waited(long nanos) {
        waitNanos.add(nanos);
    }

    void rejected() {
        rejects.increment();
    }

    private void note(Bytes key, Access access) {
        if (looked) {
            keys.add(key, access, env.recentMicros());
        }
    }

    /// What it has cost, and so many others like it.
    private long since(long began, int times) {
        // The clock may have come in between.
        return began == KEY_ONLY ? 0 : Math.max(0, env.cpuNanos() - began) * times;
    }
}
