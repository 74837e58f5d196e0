package io.cleave.schema;

/// The stages in the life of a user cell, in order. Only a running cell gets tablets.
public enum CellStage {
    /// The cell is recorded in the catalog, and its log may not be there yet.
    INITIALIZING(1),
    RUNNING(2),
    /// The cell's tablets are being moved away, and its transactions end.
    DECOMMISSIONING(3),
    /// Nothing needs the cell any more: its log is being removed.
    DECOMMISSIONED(4);

    /// Stored on disk.
    public final int number;

    CellStage(int number) {
        this.number = number;
    }

    /// Throws if a newer version has written the number.
    public static CellStage of(long number) {
        for (CellStage stage : values()) {
            if (stage.number == number) {
                return stage;
            }
        }
        throw new IllegalStateException("unknown stage of a cell: " + number);
    }
}
