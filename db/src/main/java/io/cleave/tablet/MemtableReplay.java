package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.lsm.TreeRestore;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.Feed;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.record.Unflushed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The second pass through a cell's log: writes each row event into the memtable whose [Feed]
/// contains it.
final class MemtableReplay {
    /// By the id of the tablet that the events name.
    private final Map<Long, List<Target>> targets = new HashMap<>();

    private record Target(Feed feed, TreeRestore tree, long generation) {}

    MemtableReplay(Map<TabletState, TreeRestore> tablets) {
        tablets.forEach(this::add);
        Comparator<Target> byEnd = Comparator.comparingLong(target -> target.feed.to());
        Comparator<Target> byRange = Comparator.comparing(target -> target.feed.range().from());
        targets.values().forEach(all -> all.sort(byEnd.thenComparing(byRange)));
    }

    private void add(TabletState tablet, TreeRestore tree) {
        for (Unflushed memtable : tablet.frozen()) {
            memtable.feeds().forEach(feed -> add(new Target(feed, tree, memtable.generation())));
        }
        var own = new Feed(tablet.spec().tabletId(), tablet.activeFrom(), Feed.OPEN, KeyRange.ALL);
        add(new Target(own, tree, tablet.lastGeneration() + 1));
    }

    private void add(Target target) {
        targets.computeIfAbsent(target.feed.tabletId(), _ -> new ArrayList<>(2)).add(target);
    }

    /// Replays the records at `[from, to)`.
    void run(Log log, long from, long to, CellState state) {
        long next = from;
        try (LogCursor cursor = log.read(from)) {
            while (next < to && cursor.next() && cursor.position() < to) {
                next = cursor.position() + 1;
                Bytes record = cursor.record();
                state.log().appended(cursor.position(), record.length());
                if (RecordCodec.hasRows(record)) {
                    replay(cursor.position(), RecordCodec.decode(record), state);
                }
            }
        }
    }

    private void replay(long position, CellRecord record, CellState state) {
        if (record instanceof Commit(long timestamp, List<TabletWrites> writes)) {
            write(position, timestamp, writes, state);
        } else if (record instanceof Decide(long timestamp, _, _, List<TabletWrites> writes)) {
            write(position, timestamp, writes, state);
        } else if (record
                instanceof
                Outcome(_, CommitDecision.Commit(long timestamp), List<TabletWrites> writes)) {
            write(position, timestamp, writes, state);
        } else if (record instanceof Attach(TabletState tablet, List<Version> tail)) {
            for (Version version : tail) {
                state.reached(version.timestamp());
                write(position, tablet.spec().tabletId(), version);
            }
        }
    }

    private void write(long position, long timestamp, List<TabletWrites> writes, CellState state) {
        state.reached(timestamp);
        for (TabletWrites tablet : writes) {
            for (KeyedChange change : tablet.changes()) {
                var version = new Version(change.key(), timestamp, change.change());
                write(position, tablet.tabletId(), version);
            }
        }
    }

    private void write(long position, long tabletId, Version version) {
        // At most one memtable contains the event. If none does, the event is in a file.
        Target target = find(targets.getOrDefault(tabletId, List.of()), position, version.key());
        if (target != null) {
            target.tree.write(
                    target.generation, version.key(), version.timestamp(), version.change());
        }
    }

    /// Binary search. The targets are sorted by the end of their feed and then by range; after many
    /// splits there may be thousands.
    private static @Nullable Target find(List<Target> sorted, long position, Bytes key) {
        int first = firstEndingAfter(sorted, position);
        while (first < sorted.size()) {
            int end = firstEndingAfter(sorted, sorted.get(first).feed.to());
            Target target = lastFrom(sorted, first, end, key);
            if (target != null
                    && target.feed.holds(position)
                    && target.feed.range().contains(key)) {
                return target;
            }
            first = end;
        }
        return null;
    }

    private static int firstEndingAfter(List<Target> sorted, long position) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).feed.to() > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// The last of `[first, end)` whose range begins at or before the key.
    private static @Nullable Target lastFrom(List<Target> sorted, int first, int end, Bytes key) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).feed.range().from().compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == first ? null : sorted.get(low - 1);
    }
}
