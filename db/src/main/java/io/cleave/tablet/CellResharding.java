package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Splits, merges, detaches and attaches the tablets of one cell: see `docs/tablets.md`.
///
/// Each change is made under the journal's lock. So every commit comes before or after it, both in
/// memory and in the log.
///
/// Threads: any.
final class CellResharding {
    private final CellJournal journal;
    private final CellState state;

    /// The journal's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final Flusher flusher;
    private final UpkeepSignals signals;

    /// Makes the routes to tablets of this cell.
    private final Function<Tablet, Route> routes;

    CellResharding(
            CellJournal journal,
            CellWaits waits,
            Flusher flusher,
            UpkeepSignals signals,
            Function<Tablet, Route> routes) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.flusher = flusher;
        this.signals = signals;
        this.routes = routes;
    }

    CellJournal journal() {
        return journal;
    }

    Flusher flusher() {
        return flusher;
    }

    /// Splits a tablet. The children cover its range, in key order. Returns when the split is
    /// durable; the children take reads and writes earlier.
    List<Route> split(long tabletId, List<TabletSpec> children) {
        List<Route> parts =
                journal.durably(
                        durable -> {
                            Tablet parent = changeable(List.of(tabletId)).getFirst();
                            checkCovers(
                                    List.of(parent.range()),
                                    children.stream().map(TabletSpec::range).toList());
                            return cut(parent, children, durable);
                        });
        signals.wake();
        return parts;
    }

    /// The journal's lock is held.
    private List<Route> cut(
            Tablet parent,
            List<TabletSpec> children,
            CompletableFuture<@Nullable LogException> durable) {
        return journal.change(
                position -> {
                    List<HostedTablet> parts = state.cut(position, parent.id(), children);
                    List<Route> heirs = parts.stream().map(this::route).toList();
                    retire(parent, heirs);
                    var record = new Split(parent.id(), saved(parts, position));
                    journal.append(RecordCodec.encode(record), durable::complete);
                    return heirs;
                });
    }

    /// Merges neighbouring tablets, given in key order, into one.
    Route merge(List<Long> tabletIds, TabletSpec merged) {
        Route whole =
                journal.durably(
                        durable -> {
                            List<Tablet> parents = changeable(tabletIds);
                            checkCovers(
                                    parents.stream().map(Tablet::range).toList(),
                                    List.of(merged.range()));
                            return join(parents, merged, durable);
                        });
        signals.wake();
        return whole;
    }

    /// The journal's lock is held.
    private Route join(
            List<Tablet> parents,
            TabletSpec merged,
            CompletableFuture<@Nullable LogException> durable) {
        return journal.change(
                position -> {
                    List<Long> tabletIds = parents.stream().map(Tablet::id).toList();
                    HostedTablet whole = state.join(position, tabletIds, merged);
                    Route heir = route(whole);
                    parents.forEach(parent -> retire(parent, List.of(heir)));
                    var record = new Merge(tabletIds, whole.save(position + 1));
                    journal.append(RecordCodec.encode(record), durable::complete);
                    return heir;
                });
    }

    private Route route(HostedTablet hosted) {
        return routes.apply(hosted.tablet);
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
    /// until no multi-cell transaction holds anything in them, and admits no new one meanwhile. The
    /// journal's lock is held.
    private List<Tablet> changeable(List<Long> tabletIds) {
        long deadline = waits.deadline();
        while (true) {
            List<Tablet> tablets = tabletIds.stream().map(this::unsealed).toList();
            if (tablets.stream().allMatch(tablet -> tablet.engagements().isEmpty())) {
                return tablets;
            }
            tablets.forEach(tablet -> tablet.engagements().close());
            try {
                waits.await(deadline);
            } finally {
                tablets.forEach(tablet -> tablet.engagements().open());
            }
        }
    }

    private Tablet unsealed(long tabletId) {
        Tablet tablet = state.live(tabletId);
        if (tablet == null || tablet.isSealed()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "tablet %d is no longer in cell %d, or is leaving it"
                            .formatted(tabletId, journal.cellId()));
        }
        return tablet;
    }

    /// Wakes the threads that wait for the tablet, so that they follow its successors. The
    /// journal's lock is held.
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
            return Objects.requireNonNull(state.hosted(tabletId));
        } finally {
            lock.unlock();
        }
    }

    /// Lets waiting commits continue, here or in the tablet's new cell.
    void unseal(long tabletId) {
        lock.lock();
        try {
            Tablet tablet = state.tablet(tabletId);
            if (tablet != null) {
                tablet.seal(false);
            }
            waits.wake();
        } finally {
            lock.unlock();
        }
    }

    /// Cancels the move of a detached tablet: the tablet stays here.
    void resume(long tabletId) {
        for (DetachedTablet detached : state.detached()) {
            if (detached.tabletId() == tabletId) {
                journal.run(new Resume(tabletId, detached.epoch() + 1));
                unseal(tabletId);
            }
        }
    }

    /// Takes over a sealed tablet of another cell. From now on `from` has the new tablet as its
    /// successor.
    Attaching attach(TabletSpec spec, TabletCargo cargo, Tablet from) {
        return attach(spec, () -> cargo, heir -> from.retire(List.of(heir)));
    }

    /// Creates a copy of another tablet of this cell: it uses the same files, and gets a copy of
    /// the rows in memtables.
    Attaching copy(TabletSpec spec, Tablet from) {
        return attach(spec, () -> TabletCargo.of(from), _ -> {});
    }

    /// `attached` is called before the record is appended. The result tells how to wait until the
    /// record is durable.
    private Attaching attach(
            TabletSpec spec, Supplier<TabletCargo> cargo, Consumer<Route> attached) {
        var durable = new CompletableFuture<@Nullable LogException>();
        Route route;
        lock.lock();
        try {
            TabletCargo taken = cargo.get();
            TabletState coming = taken.arriving(spec, journal.nextPosition());
            Bytes record = RecordCodec.encode(new Attach(coming, taken.tail()));
            route =
                    journal.change(
                            _ -> {
                                Route heir = route(state.attach(coming, taken.tail()));
                                attached.accept(heir);
                                journal.append(record, durable::complete);
                                return heir;
                            });
        } finally {
            lock.unlock();
        }
        return new Attaching(route, () -> journal.awaitDurable(durable));
    }

    /// A tablet that was attached, and an action that waits until it is durable.
    record Attaching(Route route, Runnable durable) {}
}
