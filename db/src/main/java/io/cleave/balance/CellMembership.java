package io.cleave.balance;

import io.cleave.schema.CellStage;

/// A cell, the bundle it belongs to, the node that leads it, and its life stage.
public record CellMembership(long cellId, String bundle, int nodeId, CellStage stage) {
    /// A running cell.
    public CellMembership(long cellId, String bundle, int nodeId) {
        this(cellId, bundle, nodeId, CellStage.RUNNING);
    }

    /// Whether tablets may be put into the cell.
    public boolean isRunning() {
        return stage == CellStage.RUNNING;
    }
}
