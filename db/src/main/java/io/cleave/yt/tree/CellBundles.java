package io.cleave.yt.tree;

import java.util.List;

/// Changes which cells a bundle has.
@FunctionalInterface
public interface CellBundles {
    /// Gives the bundle exactly these cells. Cells that it loses go to the bundle `default`; a
    /// bundle without cells ends.
    void put(String bundle, List<Long> cellIds);
}
