package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;

import org.jspecify.annotations.Nullable;

/// The keys `[from, to)` of a memtable that takes no more writes, as part of a tree. After a split,
/// several trees have parts of the same memtable, and each tree flushes its own part.
///
/// @param generation the number of the freeze, counted by its tree
/// @param to null: no upper bound
/// @param bytes of this part; an estimate if it is not the whole memtable
/// @param keys of this part; an estimate if it is not the whole memtable
public record FrozenMemtable(
        Memtable memtable, long generation, Bytes from, @Nullable Bytes to, long bytes, long keys) {
    public static FrozenMemtable of(Memtable memtable) {
        long generation = memtable.generation();
        return new FrozenMemtable(
                memtable, generation, Bytes.EMPTY, null, memtable.bytes(), memtable.keys());
    }

    /// The part within a range, which may be empty.
    public FrozenMemtable within(Bytes partFrom, @Nullable Bytes partTo) {
        Bytes newFrom = Keys.later(from, partFrom);
        Bytes newTo = Keys.earlier(to, partTo);
        KeyHistogram part = MemtableHistogram.of(memtable).within(newFrom, newTo);
        return new FrozenMemtable(memtable, generation, newFrom, newTo, part.bytes(), part.rows());
    }

    /// Whether the range is empty.
    public boolean isEmpty() {
        return to != null && from.compareTo(to) >= 0;
    }

    /// Whether `other` is a part of the same memtable and begins where this part ends.
    public boolean isFollowedBy(FrozenMemtable other) {
        return memtable == other.memtable
                && generation == other.generation
                && to != null
                && to.equals(other.from);
    }

    /// This part and the next one as one part.
    public FrozenMemtable with(FrozenMemtable next) {
        return new FrozenMemtable(
                memtable, generation, from, next.to, bytes + next.bytes, keys + next.keys);
    }

    public FrozenMemtable renumbered(long newGeneration) {
        return new FrozenMemtable(memtable, newGeneration, from, to, bytes, keys);
    }

    /// The number of keys whose newest version is an ERASE; an estimate if this is not the whole
    /// memtable.
    public long erasedKeys() {
        return share(memtable.erasedKeys(), keys, memtable.keys());
    }

    /// The bytes of the newest versions of keys that are not erased; an estimate if this is not the
    /// whole memtable.
    public long liveBytes() {
        return share(memtable.liveBytes(), bytes, memtable.bytes());
    }

    private static long share(long all, long part, long whole) {
        return part == whole ? all : (long) ((double) all * part / whole);
    }

    public KeySample sample() {
        return memtable.sample(from, to);
    }

    private boolean isWhole() {
        return from.isEmpty() && to == null;
    }

    private boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }

    /// See [Memtable#mergeInto].
    public boolean mergeInto(Row row, Bytes key, long hash, long snapshot, ReadWatch watch) {
        return (isWhole() || contains(key)) && memtable.mergeInto(row, key, hash, snapshot, watch);
    }

    public MemtableSource source() {
        return isWhole() ? memtable.source() : new MemtableSource(memtable, from, to);
    }

    public KeyHistogram histogram() {
        return MemtableHistogram.of(memtable).within(from, to);
    }
}
