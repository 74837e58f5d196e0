package io.cleave.tablet.lock;

import io.cleave.memory.MemoryPool;

/// The transaction to which read locks belong. Cells know it by its id. The owner in this process
/// also remembers the locks that cells of this process keep for it, so a read needs no lookup.
public sealed interface LockOwner permits ReadLocks {
    /// The id of an owner without locks.
    long NOBODY = 0;

    /// A new owner, with an id that no other owner of this process has. The memory for its locks is
    /// taken from the pool.
    static LockOwner of(MemoryPool pool) {
        return new ReadLocks(pool);
    }

    long id();
}
