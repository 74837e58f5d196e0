package io.cleave.lsm.row;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The range erases of a tree that may still hide a version. There are few, because each is dropped
/// once compaction has removed all versions it hides. They are searched one by one.
///
/// Invariant: a slice whose `erasedThrough` is at or after the timestamp of an erase has no version
/// that the erase hides.
public record RangeErases(List<RangeErase> all) {
    public static final RangeErases NONE = new RangeErases(List.of());

    /// A timestamp before all others: nothing is erased.
    public static final long NEVER = Long.MIN_VALUE;

    public RangeErases {
        all = List.copyOf(all);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public RangeErases with(RangeErase erase) {
        List<RangeErase> more = new ArrayList<>(all);
        more.add(erase);
        return new RangeErases(more);
    }

    /// The erases that overlap `[from, to)`, reduced to that range.
    public RangeErases within(Bytes from, @Nullable Bytes to) {
        if (all.isEmpty()) {
            return this;
        }
        List<RangeErase> inside = new ArrayList<>();
        for (RangeErase erase : all) {
            Bytes newFrom = Keys.later(erase.from(), from);
            Bytes newTo = Keys.earlier(erase.to(), to);
            if (newTo == null || newFrom.compareTo(newTo) < 0) {
                inside.add(new RangeErase(newFrom, newTo, erase.timestamp()));
            }
        }
        return new RangeErases(inside);
    }

    /// The erases that every snapshot from `oldestSnapshot` on sees.
    public RangeErases seenBy(long oldestSnapshot) {
        if (all.isEmpty()) {
            return this;
        }
        return new RangeErases(
                all.stream().filter(erase -> erase.timestamp() <= oldestSnapshot).toList());
    }

    /// The timestamp up to which the key's versions are erased for the snapshot; [#NEVER] if they
    /// are not.
    public long floor(byte[] key, int keyBytes, long snapshot) {
        long floor = NEVER;
        for (RangeErase erase : all) {
            if (erase.timestamp() <= snapshot
                    && erase.timestamp() > floor
                    && erase.covers(key, keyBytes)) {
                floor = erase.timestamp();
            }
        }
        return floor;
    }

    /// Whether the key was erased after the snapshot.
    public boolean newerThan(long snapshot, byte[] key, int keyBytes) {
        return all.stream()
                .anyMatch(erase -> erase.timestamp() > snapshot && erase.covers(key, keyBytes));
    }

    public boolean newerThan(long snapshot) {
        return all.stream().anyMatch(erase -> erase.timestamp() > snapshot);
    }

    /// The newest timestamp; [#NEVER] if there is no erase.
    public long newest() {
        return all.stream().mapToLong(RangeErase::timestamp).max().orElse(NEVER);
    }
}
