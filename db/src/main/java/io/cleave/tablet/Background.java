package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.tablet.pace.BackgroundSlots;
import io.cleave.tablet.pace.MemtableBudget;

/// Background resources that all cells of a process share: memory for memtables, slots for
/// background threads, and the gate that says whether writes are allowed.
public record Background(MemtableBudget budget, BackgroundSlots slots, WriteGate gate) {
    private static final int SLOTS = 2;

    public Background(Env env, CellOptions options) {
        this(
                new MemtableBudget(options.memtableBytes()),
                new BackgroundSlots(env, SLOTS),
                new WriteGate());
    }
}
