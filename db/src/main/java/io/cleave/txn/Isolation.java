package io.cleave.txn;

/// What a transaction may see and do; the modes are YDB's.
public enum Isolation {
    /// As if alone: a conflicting commit of another aborts it.
    SERIALIZABLE(true, true),
    /// One snapshot for all reads; never aborts.
    SNAPSHOT_READ_ONLY(false, true),
    /// One snapshot for all reads; aborts only when another wrote what it writes.
    SNAPSHOT_READ_WRITE(true, true),
    /// Each query reads what is newest; cannot be kept open.
    ONLINE_READ_ONLY(false, false),
    /// As before, and tablets may answer from different moments.
    ONLINE_INCONSISTENT(false, false),
    /// May read followers; cannot be kept open.
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

    /// Whether it may span several queries.
    public boolean interactive() {
        return interactive;
    }
}
