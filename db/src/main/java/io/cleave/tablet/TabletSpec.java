package io.cleave.tablet;

import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;

/// A tablet to be: a key range of a table, and how its rows are stored.
///
/// @param epoch grows with each change of the range or the place, from 1
public record TabletSpec(
        long tabletId, long tableId, KeyRange range, TreeSettings settings, long epoch) {
    /// One of a new table.
    public TabletSpec(long tabletId, long tableId, KeyRange range, TreeSettings settings) {
        this(tabletId, tableId, range, settings, 1);
    }

    /// One that is stored as most are.
    public TabletSpec(long tabletId, long tableId, KeyRange range) {
        this(tabletId, tableId, range, TreeSettings.DEFAULT);
    }

    TabletSpec with(TreeSettings other) {
        return new TabletSpec(tabletId, tableId, range, other, epoch);
    }

    TabletSpec inEpoch(long other) {
        return new TabletSpec(tabletId, tableId, range, settings, other);
    }
}
