package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.memtable.Memtable;
import io.cleave.lsm.row.KeySample;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableIndex;
import io.cleave.lsm.table.TableMeta;
import io.cleave.lsm.table.TableReader;
import io.cleave.lsm.table.TableStatistics;

import org.jspecify.annotations.Nullable;

/// A memtable or a slice as [Survivors] sees it.
///
/// @param to null: no upper bound
/// @param rows keys whose newest version in it is not an ERASE
/// @param erases versions that are an ERASE; an estimate for a slice
/// @param bytes the total size
/// @param liveBytes the part of `bytes` that the newest versions of its rows take
/// @param hides whether versions that it overwrites or erases in older layers are garbage; false
///   while a snapshot may need them
/// @param sample of its keys; null for a table that was written before samples existed
record Layer(
        Bytes from,
        @Nullable Bytes to,
        long rows,
        long erases,
        long bytes,
        long liveBytes,
        boolean hides,
        @Nullable KeySample sample) {
    static Layer of(Memtable active) {
        return new Layer(
                Bytes.EMPTY,
                null,
                active.keys() - active.erasedKeys(),
                active.erasedKeys(),
                active.bytes(),
                active.liveBytes(),
                true,
                active.sample(Bytes.EMPTY, null));
    }

    static Layer of(FrozenMemtable frozen) {
        return new Layer(
                frozen.from(),
                frozen.to(),
                frozen.keys() - frozen.erasedKeys(),
                frozen.erasedKeys(),
                frozen.bytes(),
                frozen.liveBytes(),
                true,
                frozen.sample());
    }

    /// @param needed whether a snapshot may need a version in it that is not the newest
    static Layer of(Slice slice, TableReader table, boolean needed) {
        TableStatistics statistics = table.statistics();
        double share = (double) slice.bytes() / Math.max(1, table.bytes());
        return new Layer(
                slice.from(),
                slice.to(),
                slice.rows(),
                Math.round(statistics.erases() * Math.min(1, share)),
                slice.bytes(),
                needed ? slice.bytes() : Math.round(slice.bytes() * liveShare(table)),
                !needed,
                sample(slice, table));
    }

    /// This layer as one that is erased as a whole: nothing in it survives.
    Layer erased() {
        return new Layer(from, to, 0, 0, bytes, 0, hides, null);
    }

    /// The share of the file that the newest versions of its rows take. An ERASE has no fields;
    /// older versions are assumed to be as large as newer ones.
    private static double liveShare(TableReader table) {
        TableStatistics statistics = table.statistics();
        long versions = statistics.versions();
        long erases = statistics.erases();
        if (statistics.rows() == versions || statistics.rawBytes() == 0) {
            return 1;
        }
        if (statistics.rows() == 0) {
            return 0;
        }
        TableMeta.Garbage garbage = table.meta().garbage();
        double eraseShare =
                garbage == null
                        ? (double) erases / versions
                        : (double) garbage.eraseBytes() / statistics.rawBytes();
        return (1 - eraseShare) * statistics.rows() / (versions - erases);
    }

    private static @Nullable KeySample sample(Slice slice, TableReader table) {
        TableMeta.Garbage garbage = table.meta().garbage();
        if (garbage == null) {
            return null;
        }
        TableStatistics statistics = table.statistics();
        boolean fromFirst = slice.from().compareTo(statistics.firstKey()) <= 0;
        Bytes to = slice.to();
        TableIndex index = table.index();
        int behindLast =
                to == null || statistics.lastKey().compareTo(to) < 0
                        ? Integer.MAX_VALUE
                        : firstRow(index, to);
        if (fromFirst && behindLast == Integer.MAX_VALUE) {
            return garbage.sample();
        }
        return garbage.sample().within(fromFirst ? 0 : firstRow(index, slice.from()), behindLast);
    }

    /// The first row of the block that the key is in, or would be in.
    private static int firstRow(TableIndex index, Bytes key) {
        int block = index.find(key.array(), key.length());
        return index.firstRow(Math.min(block, index.blockCount()));
    }

    boolean overlaps(Layer other) {
        return (to == null || other.from.compareTo(to) < 0)
                && (other.to == null || from.compareTo(other.to) < 0);
    }

    double bytesPerRow() {
        return rows == 0 ? 0 : (double) liveBytes / rows;
    }
}
