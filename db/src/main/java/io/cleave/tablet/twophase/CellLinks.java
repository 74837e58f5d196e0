package io.cleave.tablet.twophase;

/// Finds cells by id, for other cells and for threads that commit.
public interface CellLinks {
    /// Throws UNAVAILABLE if there is no cell with this id.
    CellLink find(long cellId);
}
