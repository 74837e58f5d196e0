package io.cleave.testkit;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;

/// Memory for tests of something else: so much that none of them meets its end.
public final class TestMemory {
    private static final long HEAP_BYTES = 64L << 30;

    private TestMemory() {}

    public static MemoryPool runs() {
        return new MemoryBudget(HEAP_BYTES, new SystemEnv()).runs();
    }
}
