package io.cleave.tablet;

import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;

/// A tablet to be: a key range of a table, and how its rows are stored.
public record TabletSpec(long tabletId, long tableId, KeyRange range, TreeSettings settings) {
    /// One that is stored as most are.
    public TabletSpec(long tabletId, long tableId, KeyRange range) {
        this(tabletId, tableId, range, TreeSettings.DEFAULT);
    }

    TabletSpec with(TreeSettings other) {
        return new TabletSpec(tabletId, tableId, range, other);
    }
}
