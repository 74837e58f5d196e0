package io.cleave.node;

import io.cleave.console.Health;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What `/healthz` says of a node: whether its logs take records, and whether its disks have room.
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
