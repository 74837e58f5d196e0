package io.cleave.yt.tree;

import java.util.List;

/// Changes which cells a bundle has.
@FunctionalInterface
public interface CellBundles {
    /// Creates the bundle, or changes its cells. A cell that the bundle loses goes to the bundle
    /// `default`. A bundle that gets no cells is removed.
    void put(String bundle, List<Long> cellIds);
}
