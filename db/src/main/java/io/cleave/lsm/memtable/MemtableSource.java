package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.Source;
import io.cleave.lsm.row.VersionVisitor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A position in a [Memtable].
public final class MemtableSource extends Source {
    private static final int NONE = MemtableNodes.NONE;

    private final Memtable memtable;
    private final Bytes lowerBound;
    private final @Nullable Bytes upperBound;
    private final MemtableNodes nodes;
    private final MemtableVersions versions;
    private int node = NONE;
    private long older = MemtableVersions.NONE;
    private byte[] change = Bytes.EMPTY.array();
    private int from;
    private int to;

    MemtableSource(Memtable memtable) {
        this(memtable, Bytes.EMPTY, null);
    }

    /// Shows only the keys in `[lowerBound, upperBound)`; without an upper bound, up to the last.
    MemtableSource(Memtable memtable, Bytes lowerBound, @Nullable Bytes upperBound) {
        this.memtable = memtable;
        this.lowerBound = lowerBound;
        this.upperBound = upperBound;
        nodes = memtable.nodes();
        versions = memtable.versions();
    }

    @Override
    public boolean seek(Bytes bound) {
        return at(memtable.find(Keys.later(bound, lowerBound)));
    }

    @Override
    public boolean seekBefore(@Nullable Bytes bound) {
        return at(memtable.findBefore(Keys.earlier(bound, upperBound)));
    }

    @Override
    public boolean nextKey() {
        return at(memtable.next(node));
    }

    @Override
    public boolean previousKey() {
        return at(memtable.previous(node));
    }

    @Override
    public boolean nextVersion() {
        if (older == MemtableVersions.NONE) {
            return false;
        }
        showVersion(older);
        return true;
    }

    @Override
    public void readFields(Row into) {
        into.addChange(change, from + 1);
    }

    /// The encoded change of the current version.
    Bytes change() {
        return Bytes.copyOf(change, from, to);
    }

    private boolean at(int found) {
        node = found;
        if (found == NONE) {
            return false;
        }
        keyBytes = nodes.keyBytes(found);
        if (key.length < keyBytes) {
            key = new byte[Math.max(2 * key.length, roundUp(keyBytes))];
        }
        nodes.copyKey(found, keyBytes, key);
        if (!isInside()) {
            return false;
        }
        showVersion(nodes.newest(found));
        return true;
    }

    private boolean isInside() {
        return (lowerBound.isEmpty() || compareKey(lowerBound) >= 0)
                && (upperBound == null || compareKey(upperBound) < 0);
    }

    private void showVersion(long place) {
        change = versions.chunk(place);
        int at = MemtableVersions.offset(place);
        timestamp = MemtableVersions.timestamp(change, at);
        older = MemtableVersions.older(change, at);
        from = MemtableVersions.changeFrom(change, at);
        to = from + MemtableVersions.changeBytes(change, at);
        kind = change[from];
    }

    private static int roundUp(int bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    /// Visits all versions of the current key, the oldest first. After that, only moves by key are
    /// possible.
    public void visitVersions(VersionVisitor visitor) {
        Bytes at = Bytes.copyOf(key, 0, keyBytes);
        List<Long> timestamps = new ArrayList<>();
        List<Bytes> changes = new ArrayList<>();
        do {
            timestamps.add(timestamp);
            changes.add(change());
        } while (nextVersion());
        for (int version = changes.size() - 1; version >= 0; version--) {
            visitor.visit(at, timestamps.get(version), changes.get(version));
        }
    }
}
