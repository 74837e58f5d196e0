package io.cleave.yt;

import io.cleave.cluster.CellLifecycle;
import io.cleave.yt.tree.CellBundles;

/// The cells of bundles, for clients that create and remove them.
public record BundleCells(CellLifecycle lifecycle) implements CellBundles {
    @Override
    public long createCell(String bundle) {
        return lifecycle.create(bundle);
    }

    @Override
    public void removeCell(long cellId) {
        lifecycle.remove(cellId);
    }
}
