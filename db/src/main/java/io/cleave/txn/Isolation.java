package io.cleave.txn;

/// The isolation modes of transactions, as in YDB.
public enum Isolation {
    /// As if the transaction were alone: a conflicting commit of another transaction aborts it.
    SERIALIZABLE(true, true),
    /// One snapshot for all reads; never aborts.
    SNAPSHOT_READ_ONLY(false, true),
    /// One snapshot for all reads; aborts only if another transaction wrote a row that it writes.
    SNAPSHOT_READ_WRITE(true, true),
    /// One snapshot for all reads, taken at the start, as in YTsaurus. Aborts only if another
    /// transaction has written or locked a lock group of a row that it writes or locks: see
    /// [RowLockTransaction#lock].
    ROW_LOCKS(true, true),
    /// Each query reads the newest rows; cannot be kept open.
    ONLINE_READ_ONLY(false, false),
    /// Like ONLINE_READ_ONLY, but tablets may answer from different moments.
    ONLINE_INCONSISTENT(false, false),
    /// May read from replicas; cannot be kept open.
    STALE_READ_ONLY(false, false);

    private final boolean writes;
    private final boolean interactive;

    Isolation(boolean writes, boolean interactive) {
        this.writes = writes;
        this.interactive = interactive;
    }

    public boolean writes() {
        return writes;
    }

    /// Whether the transaction may span several queries.
    public boolean interactive() {
        return interactive;
    }
}
