package io.cleave.log;

import io.cleave.base.SystemEnv;

import org.junit.jupiter.api.Assertions;

class MemoryLogTest extends LogContract {
    private final MemoryLog log =
            new MemoryLog(new SystemEnv(), new LogOptions(1 << 10, 4 << 10), Assertions::fail);

    @Override
    protected Log reopen() {
        return log;
    }
}
