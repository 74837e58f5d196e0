package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// A place in a [Memtable].
final class MemtableSource extends Source {
    private static final int NONE = MemtableNodes.NONE;

    private final Memtable memtable;
    private final MemtableNodes nodes;
    private final MemtableVersions versions;
    private int node = NONE;
    private long older = MemtableVersions.NONE;

    /// The encoded [RowChange] of the current version begins there.
    byte[] change = Bytes.EMPTY.array();

    int changeFrom;

    MemtableSource(Memtable memtable) {
        this.memtable = memtable;
        nodes = memtable.nodes();
        versions = memtable.versions();
    }

    @Override
    boolean seek(Bytes bound) {
        return at(memtable.find(bound));
    }

    @Override
    boolean seekBefore(@Nullable Bytes bound) {
        return at(memtable.findBefore(bound));
    }

    @Override
    boolean nextKey() {
        return at(memtable.next(node));
    }

    @Override
    boolean previousKey() {
        return at(memtable.previous(node));
    }

    @Override
    boolean nextVersion() {
        if (older == MemtableVersions.NONE) {
            return false;
        }
        older = versions.show(older, this);
        return true;
    }

    @Override
    void readCells(Row into) {
        into.addChange(change, changeFrom + 1);
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
        older = versions.show(nodes.newest(found), this);
        return true;
    }

    private static int roundUp(int bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }
}
