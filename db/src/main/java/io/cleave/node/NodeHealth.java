package io.cleave.node;

import io.cleave.console.Health;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The answer to `/healthz`: whether the logs accept records, and whether the disks have space.
record NodeHealth(BooleanSupplier logs, Optional<DiskSpace> space) implements Health {
    @Override
    public boolean isWell() {
        Optional<String> full = space.flatMap(DiskSpace::full);
        if (full.isPresent()) {
            throw new IllegalStateException(full.get());
        }
        return logs.getAsBoolean();
    }

    @Override
    public Optional<String> warning() {
        return space.flatMap(DiskSpace::warning);
    }
}
