package io.cleave.balance.yt.reshard;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.TableSettings;

import java.util.List;

/// A table with its tablets in key order, and the settings that apply to it.
///
/// @param isSorted false for an ordered table, whose tablets are queues and are never resharded
/// @param cells how many cells the bundle has
public record ReshardTable(
        boolean isSorted,
        InMemoryMode inMemoryMode,
        TableSettings settings,
        BundleSettings bundle,
        int cells,
        List<ReshardTablet> tablets) {
    public ReshardTable {
        tablets = List.copyOf(tablets);
    }

    /// The sizes of its tablets.
    long[] sizes() {
        long[] sizes = new long[tablets.size()];
        for (int index = 0; index < sizes.length; index++) {
            sizes[index] = tablets.get(index).bytes(inMemoryMode);
        }
        return sizes;
    }
}
