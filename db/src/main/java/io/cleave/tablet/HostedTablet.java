package io.cleave.tablet;

import io.cleave.base.Check;
import io.cleave.lsm.table.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.Feed;
import io.cleave.tablet.record.Unflushed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A tablet, and the part of the log that is not in its files yet.
///
/// Threads: one at a time changes it (the leader under the cell's lock); any may read.
final class HostedTablet {
    final Tablet tablet;

    /// The generation of the newest memtable that was flushed.
    private volatile long lastFlushed;

    /// Frozen memtables, the oldest first.
    private volatile List<Unflushed> frozen;

    /// The position from which the tablet's row events are in the active memtable.
    private volatile long activeFrom;

    /// The target cell if the tablet is moving; null while it stays.
    private volatile @Nullable Departure departure;

    /// Null while memtables have no erases.
    private volatile @Nullable Erases erases;

    /// When erases were first seen in memory, and which memtable was the oldest then.
    private record Erases(long generation, long sinceNanos) {}

    HostedTablet(
            Tablet tablet, List<Unflushed> frozen, long activeFrom, @Nullable Departure going) {
        this.tablet = tablet;
        this.frozen = List.copyOf(frozen);
        this.activeFrom = activeFrom;
        departure = going;
        lastFlushed =
                frozen.isEmpty()
                        ? tablet.tree().lastGeneration()
                        : frozen.getFirst().generation() - 1;
    }

    long lastFlushed() {
        return lastFlushed;
    }

    List<Unflushed> frozen() {
        return frozen;
    }

    /// Whether the tablet needs nothing of the log to restore its rows.
    boolean isClean() {
        return frozen.isEmpty() && tablet.tree().activeBytes() == 0;
    }

    /// Whether a frozen memtable should be flushed as soon as possible. A memtable that was frozen
    /// by a split or a merge can wait, like an active one, until memory or log space is needed: a
    /// split writes no rows.
    boolean isFlushDue() {
        List<Unflushed> all = frozen;
        return all.size() > 1 || (all.size() == 1 && all.getFirst().isFedBy(tablet.id()));
    }

    /// Bytes of memtables that need not be flushed yet.
    long restingBytes() {
        long active = tablet.tree().activeBytes();
        return isFlushDue() ? active : active + tablet.tree().frozenBytes();
    }

    /// The position of the oldest record that is needed to restore its rows; `Long.MAX_VALUE` if
    /// none is.
    long neededFrom() {
        long needed = tablet.tree().activeBytes() == 0 ? Long.MAX_VALUE : activeFrom;
        for (Unflushed memtable : frozen) {
            needed = Math.min(needed, memtable.neededFrom());
        }
        return needed;
    }

    /// How long memtables have had erases, as far as earlier calls have seen. 0 if there are none,
    /// or if the memtable that was the oldest then has been flushed since.
    long erasesAgeNanos(long nowNanos) {
        if (tablet.tree().erasedKeysInMemory() == 0) {
            erases = null;
            return 0;
        }
        List<Unflushed> all = frozen;
        long oldest =
                all.isEmpty() ? tablet.tree().lastGeneration() + 1 : all.getFirst().generation();
        Erases seen = erases;
        if (seen == null || seen.generation != oldest) {
            seen = new Erases(oldest, nowNanos);
            erases = seen;
        }
        return nowNanos - seen.sinceNanos;
    }

    @Nullable Departure departure() {
        return departure;
    }

    void depart(@Nullable Departure where) {
        departure = where;
    }

    /// The record at `position` ends the active memtable.
    void freeze(long position) {
        long generation = tablet.tree().freeze();
        frozen = endedAt(frozen, generation, tablet.id(), activeFrom, position);
        activeFrom = position + 1;
    }

    /// Like [#freeze], on a list.
    static List<Unflushed> endedAt(
            List<Unflushed> frozen, long generation, long tabletId, long from, long position) {
        List<Unflushed> all = new ArrayList<>(frozen);
        var feed = new Feed(tabletId, from, position, KeyRange.ALL);
        all.add(new Unflushed(generation, List.of(feed)));
        return List.copyOf(all);
    }

    void flushed(long generation, List<Slice> slices) {
        Unflushed oldest = frozen.getFirst();
        Check.that(
                oldest.generation() == generation,
                "tablet %d: generation %d was flushed before %d",
                tablet.id(),
                generation,
                oldest.generation());
        tablet.tree().flushed(generation, slices);
        frozen = frozen.subList(1, frozen.size());
        lastFlushed = generation;
    }

    /// The tablet without its memtables, for a record at `position`.
    TabletState save(long position) {
        if (tablet.tree().activeBytes() == 0) {
            activeFrom = position;
        }
        return new TabletState(
                tablet.spec(),
                tablet.tree().lastGeneration(),
                frozen,
                activeFrom,
                tablet.tree().slices(),
                tablet.tree().erases(),
                departure);
    }
}
