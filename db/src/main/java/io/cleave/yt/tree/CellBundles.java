package io.cleave.yt.tree;

/// Creates and removes the cells of bundles. Throws a `StatusException` if that is not possible.
public interface CellBundles {
    /// Creates a cell, which runs when this returns. The bundle need not have any cell yet. Returns
    /// the number of the cell.
    long createCell(String bundle);

    /// Begins to remove a cell. Its tablets move to the other cells of its bundle; when it is
    /// empty, it disappears.
    void removeCell(long cellId);
}
