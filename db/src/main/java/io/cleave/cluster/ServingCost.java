package io.cleave.cluster;

import io.cleave.tablet.KeyReservoir.Access;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.Tablet.Traffic;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// Shares out among tablets what requests cost outside of them: network, planning, commit, answer.
///
/// Nobody measures that for each request. Once in a look the CPU time of the process without its
/// background threads is compared with what was measured inside the tablets; the rest is divided
/// among them in proportion to their operations. So all tablets together never have more than the
/// process has used, and each has the inside time of its own operations.
///
/// An operation is a row that is read by its key, or written, or a scan that begins, or
/// [#ROWS_AN_OPERATION] rows of a scan. What is done without tablets, and not only by the way, does
/// not become theirs: an operation costs [#MOST_NANOS] at most.
///
/// Threads: one at a time.
final class ServingCost {
    static final long ROWS_AN_OPERATION = 64;
    static final long MOST_NANOS = 1_000_000;

    /// As of the last look.
    private Map<Tablet, Counted> last = new HashMap<>();

    private OptionalLong lastNanos = OptionalLong.empty();

    /// Totals of a tablet.
    private record Counted(
            long reads, long writes, long deletes, long scans, long scannedRows, long insideNanos) {
        static final Counted NONE = new Counted(0, 0, 0, 0, 0, 0);

        static Counted of(Tablet tablet) {
            Traffic traffic = tablet.traffic();
            return new Counted(
                    traffic.rowReads(),
                    traffic.rowUpdates(),
                    traffic.rowDeletes(),
                    traffic.rangeReads(),
                    traffic.rangeReadRows(),
                    tablet.meter().insideNanos());
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
    void share(Collection<Tablet> tablets, OptionalLong servingNanos) {
        if (servingNanos.isEmpty()) {
            return;
        }
        long nanos = servingNanos.getAsLong();
        long before = lastNanos.orElse(nanos);
        Map<Tablet, Counted> now = new HashMap<>();
        Map<Tablet, Counted> since = new HashMap<>();
        double operations = 0;
        long insideNanos = 0;
        for (Tablet tablet : tablets) {
            Counted counted = Counted.of(tablet);
            Counted more = counted.minus(last.getOrDefault(tablet, Counted.NONE));
            now.put(tablet, counted);
            since.put(tablet, more);
            operations += more.operations();
            insideNanos += more.insideNanos;
        }
        double each = nanosPerOperation(nanos - before, insideNanos, operations);
        last = now;
        lastNanos = servingNanos;
        if (each > 0) {
            since.forEach((tablet, more) -> add(tablet, more, each));
        }
    }

    /// What an operation costs outside of tablets.
    static double nanosPerOperation(long servingNanos, long insideNanos, double operations) {
        return operations <= 0
                ? 0
                : Math.clamp((servingNanos - insideNanos) / operations, 0, MOST_NANOS);
    }

    private static void add(Tablet tablet, Counted more, double each) {
        add(tablet, Access.READ, more.reads * each);
        add(tablet, Access.WRITE, more.writes * each);
        add(tablet, Access.DELETE, more.deletes * each);
        add(tablet, Access.RANGE, more.scans * each);
        add(tablet, Access.BATCH, more.scannedRows * each / ROWS_AN_OPERATION);
    }

    private static void add(Tablet tablet, Access access, double nanos) {
        if (nanos > 0) {
            tablet.meter().addOverhead(access, Math.round(nanos));
        }
    }
}
