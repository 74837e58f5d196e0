package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.RangeErase;
import io.cleave.lsm.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellRecord.Attach;
import io.cleave.tablet.CellRecord.Merge;
import io.cleave.tablet.CellRecord.Split;
import io.cleave.tablet.CellRecord.TabletState;
import io.cleave.tablet.CellRecord.Version;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Splits, merges, detaches and attaches the tablets of one cell: see `docs/tablets.md`.
///
/// Each change is applied in memory and appended to the log under the cell's lock. So every commit
/// comes before or after it, both in memory and in the log.
///
/// Threads: any.
final class CellResharding {
    private final Cell cell;

    /// The cell's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final LogWriter writer;

    CellResharding(Cell cell, ReentrantLock lock, CellWaits waits, LogWriter writer) {
        this.cell = cell;
        this.lock = lock;
        this.waits = waits;
        this.writer = writer;
    }

    /// Splits a tablet. The children cover its range, in key order. Returns when the split is
    /// durable; the children take reads and writes earlier.
    List<Route> split(long tabletId, List<TabletSpec> children) {
        var durable = new CompletableFuture<@Nullable LogException>();
        List<Route> routes;
        lock.lock();
        try {
            Tablet parent = changeable(List.of(tabletId)).getFirst();
            checkCovers(List.of(parent.range()), children.stream().map(TabletSpec::range).toList());
            routes = cut(parent, children, durable);
        } finally {
            lock.unlock();
        }
        cell.awaitDurable(durable);
        cell.wakeUpkeep();
        return routes;
    }

    @GuardedBy("lock")
    private List<Route> cut(
            Tablet parent,
            List<TabletSpec> children,
            CompletableFuture<@Nullable LogException> durable) {
        try {
            long position = writer.nextPosition();
            List<HostedTablet> parts = cell.state().cut(position, parent.id(), children);
            List<Route> routes = parts.stream().map(this::route).toList();
            retire(parent, routes);
            var record = new Split(parent.id(), saved(parts, position));
            cell.append(RecordCodec.encode(record), durable::complete);
            return routes;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }

    /// Merges neighbouring tablets, given in key order, into one.
    Route merge(List<Long> tabletIds, TabletSpec merged) {
        var durable = new CompletableFuture<@Nullable LogException>();
        Route route;
        lock.lock();
        try {
            List<Tablet> parents = changeable(tabletIds);
            checkCovers(parents.stream().map(Tablet::range).toList(), List.of(merged.range()));
            route = join(parents, merged, durable);
        } finally {
            lock.unlock();
        }
        cell.awaitDurable(durable);
        cell.wakeUpkeep();
        return route;
    }

    @GuardedBy("lock")
    private Route join(
            List<Tablet> parents,
            TabletSpec merged,
            CompletableFuture<@Nullable LogException> durable) {
        try {
            long position = writer.nextPosition();
            List<Long> tabletIds = parents.stream().map(Tablet::id).toList();
            HostedTablet whole = cell.state().join(position, tabletIds, merged);
            Route route = route(whole);
            for (Tablet parent : parents) {
                retire(parent, List.of(route));
            }
            var record = new Merge(tabletIds, whole.save(position + 1));
            cell.append(RecordCodec.encode(record), durable::complete);
            return route;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }

    private Route route(HostedTablet hosted) {
        return new Route(cell, hosted.tablet);
    }

    /// The states after the record at `position`.
    private static List<TabletState> saved(List<HostedTablet> parts, long position) {
        return parts.stream().map(part -> part.save(position + 1)).toList();
    }

    private static void checkCovers(List<KeyRange> before, List<KeyRange> after) {
        Check.that(
                before.getFirst().from().equals(after.getFirst().from())
                        && Objects.equals(before.getLast().to(), after.getLast().to())
                        && isUnbroken(before)
                        && isUnbroken(after),
                "%s is to become %s",
                before,
                after);
    }

    private static boolean isUnbroken(List<KeyRange> ranges) {
        for (int index = 1; index < ranges.size(); index++) {
            if (!Objects.equals(ranges.get(index - 1).to(), ranges.get(index).from())) {
                return false;
            }
        }
        return ranges.stream().noneMatch(KeyRange::isEmpty);
    }

    /// The tablets, if they can be split, merged or moved; otherwise throws UNAVAILABLE. Waits
    /// until no multi-cell transaction holds anything in them, and admits no new one meanwhile.
    @GuardedBy("lock")
    private List<Tablet> changeable(List<Long> tabletIds) {
        long deadline = waits.deadline();
        while (true) {
            List<Tablet> tablets = tabletIds.stream().map(this::unsealed).toList();
            if (tablets.stream().allMatch(tablet -> tablet.engagements().isEmpty())) {
                return tablets;
            }
            tablets.forEach(tablet -> tablet.engagements().close());
            try {
                waits.await(deadline, cell.id());
            } finally {
                tablets.forEach(tablet -> tablet.engagements().open());
            }
        }
    }

    private Tablet unsealed(long tabletId) {
        Tablet tablet = cell.state().live(tabletId);
        if (tablet == null || tablet.isSealed()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "tablet %d is no longer in cell %d, or is leaving it"
                            .formatted(tabletId, cell.id()));
        }
        return tablet;
    }

    /// Wakes the threads that wait for the tablet, so that they follow its successors.
    @GuardedBy("lock")
    private void retire(Tablet tablet, List<Route> successors) {
        tablet.retire(successors);
        waits.wake();
    }

    /// From now on commits to the tablet wait.
    HostedTablet seal(long tabletId) {
        lock.lock();
        try {
            Tablet tablet = changeable(List.of(tabletId)).getFirst();
            tablet.seal(true);
            return Objects.requireNonNull(cell.state().hosted(tabletId));
        } finally {
            lock.unlock();
        }
    }

    /// Lets waiting commits continue, here or in the tablet's new cell.
    void unseal(long tabletId) {
        lock.lock();
        try {
            Tablet tablet = cell.state().tablet(tabletId);
            if (tablet != null) {
                tablet.seal(false);
            }
            waits.wake();
        } finally {
            lock.unlock();
        }
    }

    /// Takes over a sealed tablet of another cell. From now on `from` has the new tablet as its
    /// successor. The result tells how to wait until this is durable.
    Attaching attach(TabletSpec spec, Unmoored unmoored, Tablet from) {
        var durable = new CompletableFuture<@Nullable LogException>();
        Route route;
        lock.lock();
        try {
            long position = writer.nextPosition();
            TabletState coming =
                    new TabletState(
                            spec,
                            unmoored.lastGeneration(),
                            List.of(),
                            position,
                            unmoored.slices(),
                            unmoored.erases(),
                            null);
            Bytes record = RecordCodec.encode(new Attach(coming, unmoored.tail()));
            try {
                route = route(cell.state().attach(coming, unmoored.tail()));
                from.retire(List.of(route));
                cell.append(record, durable::complete);
            } catch (RuntimeException | Error e) {
                cell.brokeOff(e);
                throw e;
            }
        } finally {
            lock.unlock();
        }
        return new Attaching(route, () -> cell.awaitDurable(durable));
    }

    /// Creates a copy of another tablet of this cell: it uses the same files, and gets a copy of
    /// the rows in memtables.
    Attaching copy(TabletSpec spec, Tablet from) {
        var durable = new CompletableFuture<@Nullable LogException>();
        Route route;
        lock.lock();
        try {
            long position = writer.nextPosition();
            List<Version> tail = tail(from);
            LsmTree tree = from.tree();
            var made =
                    new TabletState(
                            spec,
                            tree.lastGeneration(),
                            List.of(),
                            position,
                            tree.slices(),
                            tree.erases(),
                            null);
            Bytes record = RecordCodec.encode(new Attach(made, tail));
            try {
                route = route(cell.state().attach(made, tail));
                cell.append(record, durable::complete);
            } catch (RuntimeException | Error e) {
                cell.brokeOff(e);
                throw e;
            }
        } finally {
            lock.unlock();
        }
        return new Attaching(route, () -> cell.awaitDurable(durable));
    }

    /// The rows that the tablet has only in memory.
    static List<Version> tail(Tablet tablet) {
        List<Version> tail = new ArrayList<>();
        tablet.tree()
                .eachUnflushed(
                        (key, timestamp, change) -> tail.add(new Version(key, timestamp, change)));
        return tail;
    }

    /// A tablet that was attached, and an action that waits until it is durable.
    record Attaching(Route route, Runnable durable) {}

    /// Everything that a tablet takes to another cell.
    record Unmoored(
            long lastGeneration, List<Slice> slices, List<RangeErase> erases, List<Version> tail) {}
}
