package io.cleave.tablet;

import io.cleave.base.Env;

/// What the cells of a process share behind the scenes: memory for memtables and threads.
public record Background(MemtableBudget budget, BackgroundSlots slots) {
    private static final int SLOTS = 2;

    public Background(Env env, CellOptions options) {
        this(new MemtableBudget(options.memtableBytes()), new BackgroundSlots(env, SLOTS));
    }
}
