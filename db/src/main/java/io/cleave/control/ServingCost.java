package io.cleave.control;

import io.cleave.schema.TabletTraffic;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletStatistics;
import io.cleave.tablet.meter.KeyReservoir.Access;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// Distributes among tablets the CPU time that requests use outside tablets: network, planning,
/// commit and answer.
///
/// That time is not measured for each request. In every round, the CPU time of the process without
/// its background threads is compared with the time measured inside the tablets. The rest is
/// divided among the tablets in proportion to their operations. Therefore all tablets together
/// never have more than the process used, and each has at least the inside time of its own
/// operations.
///
/// An operation is a row read by key, a row written, the start of a scan, or [#ROWS_AN_OPERATION]
/// rows of a scan. An operation is charged at most [#MOST_NANOS], so that work unrelated to tablets
/// is not charged to them.
///
/// Threads: one at a time.
final class ServingCost {
    static final long ROWS_AN_OPERATION = 64;
    static final long MOST_NANOS = 1_000_000;

    /// The totals at the last round.
    private Map<Route, Counted> last = new HashMap<>();

    private OptionalLong lastNanos = OptionalLong.empty();

    /// Totals of a tablet.
    private record Counted(
            long reads, long writes, long deletes, long scans, long scannedRows, long insideNanos) {
        static final Counted NONE = new Counted(0, 0, 0, 0, 0, 0);

        static Counted of(TabletStatistics tablet) {
            TabletTraffic traffic = tablet.traffic();
            return new Counted(
                    traffic.rowReads(),
                    traffic.rowUpdates(),
                    traffic.rowDeletes(),
                    traffic.rangeReads(),
                    traffic.rangeReadRows(),
                    tablet.insideNanos());
        }

        Counted minus(Counted before) {
            return new Counted(
                    reads - before.reads,
                    writes - before.writes,
                    deletes - before.deletes,
                    scans - before.scans,
                    scannedRows - before.scannedRows,
                    insideNanos - before.insideNanos);
        }

        double operations() {
            return reads + writes + deletes + scans + (double) scannedRows / ROWS_AN_OPERATION;
        }
    }

    /// @param servingNanos see [io.cleave.base.Env#servingCpuNanos]
    void share(Collection<Route> tablets, OptionalLong servingNanos) {
        if (servingNanos.isEmpty()) {
            return;
        }
        long nanos = servingNanos.getAsLong();
        long before = lastNanos.orElse(nanos);
        Map<Route, Counted> now = HashMap.newHashMap(tablets.size());
        Map<Route, Counted> since = new HashMap<>();
        double operations = 0;
        long insideNanos = 0;
        for (Route tablet : tablets) {
            Counted counted = Counted.of(tablet.statistics());
            Counted more = counted.minus(last.getOrDefault(tablet, Counted.NONE));
            now.put(tablet, counted);
            if (!more.equals(Counted.NONE)) {
                since.put(tablet, more);
                operations += more.operations();
                insideNanos += more.insideNanos;
            }
        }
        double each = nanosPerOperation(nanos - before, insideNanos, operations);
        last = now;
        lastNanos = servingNanos;
        if (each > 0) {
            since.forEach((tablet, more) -> add(tablet.statistics(), more, each));
        }
    }

    /// The CPU time of one operation outside tablets.
    static double nanosPerOperation(long servingNanos, long insideNanos, double operations) {
        return operations <= 0
                ? 0
                : Math.clamp((servingNanos - insideNanos) / operations, 0, MOST_NANOS);
    }

    private static void add(TabletStatistics tablet, Counted more, double each) {
        add(tablet, Access.READ, more.reads * each);
        add(tablet, Access.WRITE, more.writes * each);
        add(tablet, Access.DELETE, more.deletes * each);
        add(tablet, Access.RANGE, more.scans * each);
        add(tablet, Access.BATCH, more.scannedRows * each / ROWS_AN_OPERATION);
    }

    private static void add(TabletStatistics tablet, Access access, double nanos) {
        if (nanos > 0) {
            tablet.addOverhead(access, Math.round(nanos));
        }
    }
}
