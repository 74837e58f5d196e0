package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The range erases of a tree that may still hide something. There are few: each is forgotten when
/// compaction has left out all it hides. They are searched one by one.
///
/// Invariant: a version that an erase hides is in no file that says it was written without
/// ([Slice#erasedThrough]).
record RangeErases(List<RangeErase> all) {
    static final RangeErases NONE = new RangeErases(List.of());

    /// Nothing is erased at this time.
    static final long NEVER = Long.MIN_VALUE;

    RangeErases {
        all = List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    RangeErases with(RangeErase erase) {
        List<RangeErase> more = new ArrayList<>(all);
        more.add(erase);
        return new RangeErases(more);
    }

    /// What of them concerns keys in `[from, to)`.
    RangeErases within(Bytes from, @Nullable Bytes to) {
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

    /// Those that every snapshot from `oldestSnapshot` on sees.
    RangeErases seenBy(long oldestSnapshot) {
        if (all.isEmpty()) {
            return this;
        }
        return new RangeErases(
                all.stream().filter(erase -> erase.timestamp() <= oldestSnapshot).toList());
    }

    /// Up to this time the key's versions are erased for the snapshot; [#NEVER] if they are not.
    long floor(byte[] key, int keyBytes, long snapshot) {
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
    boolean newerThan(long snapshot, byte[] key, int keyBytes) {
        return all.stream()
                .anyMatch(erase -> erase.timestamp() > snapshot && erase.covers(key, keyBytes));
    }

    boolean newerThan(long snapshot) {
        return all.stream().anyMatch(erase -> erase.timestamp() > snapshot);
    }

    /// The newest; [#NEVER] if there is none.
    long newest() {
        return all.stream().mapToLong(RangeErase::timestamp).max().orElse(NEVER);
    }

    /// Whether nothing of the slice can be seen.
    boolean hideAll(Slice slice) {
        return all.stream()
                .anyMatch(
                        erase -> slice.maxTimestamp() <= erase.timestamp() && erase.covers(slice));
    }

    boolean concern(Slice slice) {
        return all.stream().anyMatch(erase -> erase.concerns(slice));
    }

    /// Without those that hide nothing any more: no slice holds such a version, and what is in
    /// memory is newer, from `memoryFrom` on.
    RangeErases stillNeeded(List<Slice> slices, long memoryFrom) {
        if (all.isEmpty()) {
            return this;
        }
        return new RangeErases(
                all.stream()
                        .filter(
                                erase ->
                                        memoryFrom <= erase.timestamp()
                                                || slices.stream().anyMatch(erase::concerns))
                        .toList());
    }
}
