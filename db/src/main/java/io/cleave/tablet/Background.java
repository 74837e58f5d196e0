package io.cleave.tablet;

import io.cleave.base.Env;

/// What the cells of a process share behind the scenes: memory for memtables, threads, and whether
/// there is room for writes.
public record Background(MemtableBudget budget, BackgroundSlots slots, WriteGate gate) {
    private static final int SLOTS = 2;

    public Background(Env env, CellOptions options) {
        this(
                new MemtableBudget(options.memtableBytes()),
                new BackgroundSlots(env, SLOTS),
                new WriteGate());
    }
}
