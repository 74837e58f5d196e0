package io.cleave.tablet.meter;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Turns what a tablet counts anyway into the counters of [TabletCounters]: those who look at them
/// pay for it, and not those who read and write.
///
/// How many rows were read is known exactly. How they are divided among memory and files, and their
/// sizes, are those of the sampled rows since the last look. A rate is a mean that fades
/// exponentially; as in YTsaurus, within half of its window to 1/e. Before a tablet there was a
/// minute without load, so that the first seconds of a new tablet are not taken for its usual load.
///
/// A look after a short time does not change the rates. So it does not matter how many look.
///
/// Threads: any.
@SuppressWarnings("EnumOrdinal") // places in arrays that are never stored
public final class CounterHistory {
    /// The shortest time over which a rate is measured.
    static final long STEP_MICROS = 5_000_000;

    static final double QUIET_SECONDS = 60;

    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final TabletCounter[] COUNTERS = TabletCounter.values();
    private static final Window[] WINDOWS = Window.values();

    private final ReentrantLock lock = new ReentrantLock();

    /// The totals at the last look.
    @GuardedBy("lock")
    private Totals last = Totals.NONE;

    /// By ordinal of the counter. Empty, as the rates are, as long as there was nothing to count.
    @GuardedBy("lock")
    private double[] counts = {};

    /// The counts when the rates were computed.
    @GuardedBy("lock")
    private double[] ratedCounts = {};

    /// Per second, by ordinal of the window and then of the counter.
    @GuardedBy("lock")
    private double[][] rates = {};

    @GuardedBy("lock")
    private long ratedMicros;

    @GuardedBy("lock")
    private double measuredSeconds;

    @GuardedBy("lock")
    private ReadRows lookups = ReadRows.UNKNOWN;

    @GuardedBy("lock")
    private ReadRows scanned = ReadRows.UNKNOWN;

    public CounterHistory(long startMicros) {
        ratedMicros = startMicros;
    }

    /// Totals since the tablet was opened.
    ///
    /// @param lookupNanos CPU time of reads by key
    /// @param selectNanos CPU time of scans
    public record Totals(
            long lookups,
            long scannedRows,
            long updates,
            long deletes,
            long writtenBytes,
            long rejects,
            long lookupNanos,
            long selectNanos,
            SampledRows.Totals sampledLookups,
            SampledRows.Totals sampledScans) {
        static final Totals NONE =
                new Totals(
                        0, 0, 0, 0, 0, 0, 0, 0, SampledRows.Totals.NONE, SampledRows.Totals.NONE);
    }

    /// What the rows that a read finds are like.
    ///
    /// @param fileShare the share of rows whose newest version is in files
    /// @param memoryBytes the mean size of a row in memory
    /// @param fileBytes the mean size of a row in files
    public record ReadRows(double fileShare, double memoryBytes, double fileBytes) {
        private static final ReadRows UNKNOWN = new ReadRows(-1, 0, 0);

        private static ReadRows of(SampledRows.Totals sample, ReadRows before) {
            return new ReadRows(
                    (double) sample.fileRows() / sample.rows(),
                    sample.memoryRows() == 0
                            ? before.memoryBytes
                            : (double) sample.memoryBytes() / sample.memoryRows(),
                    sample.fileRows() == 0
                            ? before.fileBytes
                            : (double) sample.fileBytes() / sample.fileRows());
        }
    }

    /// Continues the rates of the tablets that had the keys before.
    public void goOnFrom(TabletCounters earlier) {
        lock.lock();
        try {
            if (earlier.equals(TabletCounters.NONE)) {
                return;
            }
            makeRoom();
            measuredSeconds = Math.max(measuredSeconds, earlier.measuredSeconds());
            for (Window window : WINDOWS) {
                for (TabletCounter counter : COUNTERS) {
                    rates[window.ordinal()][counter.ordinal()] +=
                            earlier.perSecond(counter, window);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// The counters now.
    ///
    /// @param guess the rows of the tablet, as far as they are known without a sample
    public TabletCounters look(Totals now, Supplier<ReadRows> guess, long nowMicros) {
        lock.lock();
        try {
            if (!now.equals(last)) {
                makeRoom();
                count(now, guess);
                last = now;
            }
            rate(nowMicros);
            return counters();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void makeRoom() {
        if (counts.length == 0) {
            counts = new double[COUNTERS.length];
            ratedCounts = new double[COUNTERS.length];
            rates = new double[WINDOWS.length][COUNTERS.length];
        }
    }

    @GuardedBy("lock")
    private void count(Totals now, Supplier<ReadRows> guess) {
        add(TabletCounter.DYNAMIC_ROW_WRITE, (double) (now.updates - last.updates));
        add(
                TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT,
                (double) (now.writtenBytes - last.writtenBytes));
        add(TabletCounter.DYNAMIC_ROW_DELETE, (double) (now.deletes - last.deletes));
        add(TabletCounter.WRITE_ERROR, (double) (now.rejects - last.rejects));
        add(TabletCounter.LOOKUP_CPU_TIME, (now.lookupNanos - last.lookupNanos) / NANOS_PER_MICRO);
        add(TabletCounter.SELECT_CPU_TIME, (now.selectNanos - last.selectNanos) / NANOS_PER_MICRO);
        long moreLookups = now.lookups - last.lookups;
        if (moreLookups > 0) {
            lookups = rows(now.sampledLookups.minus(last.sampledLookups), lookups, guess);
            double inFiles = moreLookups * lookups.fileShare;
            double inMemory = moreLookups - inFiles;
            add(TabletCounter.DYNAMIC_ROW_LOOKUP, inMemory);
            add(TabletCounter.DYNAMIC_ROW_LOOKUP_DATA_WEIGHT, inMemory * lookups.memoryBytes);
            add(TabletCounter.STATIC_CHUNK_ROW_LOOKUP, inFiles);
            add(TabletCounter.STATIC_CHUNK_ROW_LOOKUP_DATA_WEIGHT, inFiles * lookups.fileBytes);
        }
        long moreScanned = now.scannedRows - last.scannedRows;
        if (moreScanned > 0) {
            scanned = rows(now.sampledScans.minus(last.sampledScans), scanned, guess);
            double inFiles = moreScanned * scanned.fileShare;
            double inMemory = moreScanned - inFiles;
            add(TabletCounter.DYNAMIC_ROW_READ, inMemory);
            add(TabletCounter.DYNAMIC_ROW_READ_DATA_WEIGHT, inMemory * scanned.memoryBytes);
            add(TabletCounter.STATIC_CHUNK_ROW_READ, inFiles);
            add(TabletCounter.STATIC_CHUNK_ROW_READ_DATA_WEIGHT, inFiles * scanned.fileBytes);
        }
    }

    @GuardedBy("lock")
    private void add(TabletCounter counter, double more) {
        counts[counter.ordinal()] += Math.max(0, more);
    }

    /// Without a new sample, rows are as in the one before.
    private static ReadRows rows(
            SampledRows.Totals sample, ReadRows before, Supplier<ReadRows> guess) {
        ReadRows known = before.fileShare < 0 ? guess.get() : before;
        return sample.rows() == 0 ? known : ReadRows.of(sample, known);
    }

    @GuardedBy("lock")
    private void rate(long nowMicros) {
        long passed = nowMicros - ratedMicros;
        if (passed < 0) {
            // The clock was set back.
            ratedMicros = nowMicros;
        }
        if (passed < STEP_MICROS) {
            return;
        }
        double seconds = passed / MICROS_PER_SECOND;
        measuredSeconds += seconds;
        ratedMicros = nowMicros;
        for (int window = 0; window < rates.length; window++) {
            double fading = WINDOWS[window].seconds() / 2.0;
            double share =
                    Math.expm1(-seconds / fading)
                            / Math.expm1(-(measuredSeconds + QUIET_SECONDS) / fading);
            double[] ofWindow = rates[window];
            for (int counter = 0; counter < ofWindow.length; counter++) {
                double lately = (counts[counter] - ratedCounts[counter]) / seconds;
                ofWindow[counter] += share * (lately - ofWindow[counter]);
            }
        }
        System.arraycopy(counts, 0, ratedCounts, 0, counts.length);
    }

    @GuardedBy("lock")
    private TabletCounters counters() {
        if (counts.length == 0) {
            return TabletCounters.idle(measuredSeconds);
        }
        var builder = new TabletCounters.Builder().measured(measuredSeconds);
        for (TabletCounter counter : COUNTERS) {
            builder.count(counter, counts[counter.ordinal()]);
            for (Window window : WINDOWS) {
                builder.rate(counter, window, rates[window.ordinal()][counter.ordinal()]);
            }
        }
        return builder.build();
    }
}
