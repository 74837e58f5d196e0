package io.cleave.tablet;

/// How cells, and those who commit, reach cells.
public interface CellLinks {
    /// UNAVAILABLE when there is none of this id.
    CellLink find(long cellId);
}
