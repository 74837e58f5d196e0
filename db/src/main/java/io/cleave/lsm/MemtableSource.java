package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

/// A place in a [Memtable].
final class MemtableSource extends Source {
    private final Memtable memtable;
    private Memtable.@Nullable Node node;
    private Memtable.@Nullable Version version;
    private byte[] change = Bytes.EMPTY.array();

    MemtableSource(Memtable memtable) {
        this.memtable = memtable;
    }

    @Override
    boolean seek(Bytes bound) {
        return at(memtable.find(bound));
    }

    /// To exactly this key.
    boolean seekEqual(Bytes wanted) {
        Memtable.Node found = memtable.find(wanted);
        return found != null && found.key.equals(wanted) && at(found);
    }

    @Override
    boolean seekBefore(@Nullable Bytes bound) {
        return at(memtable.findBefore(bound));
    }

    @Override
    boolean nextKey() {
        return at(Memtable.next(current(), 0));
    }

    @Override
    boolean previousKey() {
        return at(memtable.previous(current()));
    }

    @Override
    boolean nextVersion() {
        return version != null && at(version.older());
    }

    @Override
    void readCells(Row into) {
        into.addChange(change, 1);
    }

    private Memtable.Node current() {
        Memtable.Node at = node;
        if (at == null) {
            throw new IllegalStateException("not at a key");
        }
        return at;
    }

    private boolean at(Memtable.@Nullable Node found) {
        node = found;
        if (found == null) {
            return false;
        }
        key = found.key.array();
        keyBytes = key.length;
        boolean any = at(found.newest);
        Check.that(any, "a key without versions");
        return true;
    }

    private boolean at(Memtable.@Nullable Version found) {
        version = found;
        if (found == null) {
            return false;
        }
        timestamp = found.timestamp();
        change = found.change().array();
        kind = change[0];
        return true;
    }
}
