package io.cleave.yt;

import io.cleave.cluster.CellLifecycle;
import io.cleave.yt.tree.CellBundles;

/// The cells of a store.
public record StoredCells(CellLifecycle lifecycle) implements CellBundles {
    @Override
    public long createCell(String bundle) {
        return lifecycle.create(bundle);
    }

    @Override
    public void removeCell(long cellId) {
        lifecycle.remove(cellId);
    }
}
