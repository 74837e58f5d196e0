package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CommitResult;
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

/// Creates, splits, merges, moves and drops the tablets of one cell: see `docs/tablets.md`.
///
/// Each change is made under the cell's lock. So every commit comes before or after it, both in
/// memory and in the log.
///
/// Threads: any.
final class CellResharding implements CellStructure {
    private final CellJournal journal;
    private final CellState state;

    /// The cell's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final Flusher flusher;
    private final Compactor compactor;
    private final RangeChanges ranges;
    private final RequiredVersions versions;

    /// Makes the routes to tablets of this cell.
    private final Function<Tablet, Route> routes;

    private final Env env;

    CellResharding(
            CellJournal journal,
            CellWaits waits,
            Flusher flusher,
            Compactor compactor,
            RangeChanges ranges,
            Function<Tablet, Route> routes,
            Env env) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.flusher = flusher;
        this.compactor = compactor;
        this.ranges = ranges;
        versions = new RequiredVersions(journal, waits);
        this.routes = routes;
        this.env = env;
    }

    CellJournal journal() {
        return journal;
    }

    Flusher flusher() {
        return flusher;
    }

    @Override
    public List<Route> tablets() {
        return state.liveTablets().stream().map(routes).toList();
    }

    @Override
    public Route route(long tabletId) {
        Tablet tablet = state.tablet(tabletId);
        if (tablet == null) {
            throw new IllegalStateException(
                    "tablet %d is not in cell %d".formatted(tabletId, journal.cellId()));
        }
        return routes.apply(tablet);
    }

    @Override
    public List<DetachedTablet> detached() {
        return state.detached();
    }

    @Override
    public List<Route> create(List<TabletSpec> tablets) {
        journal.run(new CreateTablets(tablets));
        return tablets.stream().map(spec -> route(spec.tabletId())).toList();
    }

    @Override
    public void configure(List<Long> tabletIds, TreeSettings settings) {
        journal.run(new Configure(tabletIds, settings));
    }

    @Override
    public boolean requireVersion(long version, List<Long> tabletIds) {
        return versions.require(version, tabletIds);
    }

    @Override
    public void drop(List<Long> tabletIds) {
        if (journal.references().isSettingAside()) {
            flush(tabletIds.stream().filter(this::isStaying).toList());
        }
        journal.run(new DropTablets(tabletIds));
    }

    private boolean isStaying(long tabletId) {
        HostedTablet hosted = state.hosted(tabletId);
        return hosted != null && hosted.departure() == null;
    }

    @Override
    public List<Route> split(long tabletId, List<TabletSpec> children) {
        List<Route> parts =
                journal.durably(
                        durable -> {
                            Tablet parent = changeable(List.of(tabletId)).getFirst();
                            checkCovers(
                                    List.of(parent.range()),
                                    children.stream().map(TabletSpec::range).toList());
                            return cut(parent, children, durable);
                        });
        flusher.wake();
        return parts;
    }

    /// The cell's lock is held.
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

    @Override
    public Route merge(List<Long> tabletIds, TabletSpec merged) {
        Route whole =
                journal.durably(
                        durable -> {
                            List<Tablet> parents = changeable(tabletIds);
                            checkCovers(
                                    parents.stream().map(Tablet::range).toList(),
                                    List.of(merged.range()));
                            return join(parents, merged, durable);
                        });
        flusher.wake();
        return whole;
    }

    /// The cell's lock is held.
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
    /// cell's lock is held.
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

    /// Wakes the threads that wait for the tablet, so that they follow its successors. The cell's
    /// lock is held.
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

    @Override
    public Route move(long tabletId, CellService target) {
        return new TabletMove(this, ((Cell) target).resharding(), tabletId, env).run();
    }

    @Override
    public void resume(long tabletId) {
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

    @Override
    public void flush(List<Long> tabletIds) {
        flusher.flush(tabletIds);
    }

    @Override
    public void compact(List<Long> tabletIds) {
        tabletIds.forEach(compactor::compactFully);
    }

    @Override
    public CommitResult eraseRange(long tabletId, KeyRange range) {
        return ranges.erase(tabletId, range);
    }

    @Override
    public long eraseExpired(long tabletId, long tableVersion, Expiry expiry, long throughMicros) {
        return ranges.eraseExpired(tabletId, tableVersion, expiry, throughMicros);
    }

    @Override
    public long eraseExpired(long tabletId, long tableVersion, KeyRange expired) {
        return ranges.eraseExpired(tabletId, tableVersion, expired);
    }

    @Override
    public void awaitLoad(long tableId) {
        compactor.awaitLoad(tableId);
    }

    @Override
    public void endLoad(long tableId) {
        compactor.endLoad(tableId);
    }

    /// A tablet that was attached, and an action that waits until it is durable.
    record Attaching(Route route, Runnable durable) {}
}
