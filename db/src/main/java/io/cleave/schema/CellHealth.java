package io.cleave.schema;

import java.util.Locale;

/// Whether a cell, or a bundle of cells, can do its work. Each constant is worse than those before
/// it.
public enum CellHealth {
    /// The cell reads and writes.
    GOOD,

    /// The cell is being opened. It has no tablets yet.
    INITIALIZING,

    /// The cell reads and writes, but its memtables cannot be put into files.
    DEGRADED,

    /// The cell takes no writes until the process is started again.
    FAILED;

    public CellHealth worse(CellHealth other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
