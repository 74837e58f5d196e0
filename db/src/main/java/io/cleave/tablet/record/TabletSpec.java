package io.cleave.tablet.record;

import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;

/// The description of a tablet: a key range of a table, and how its rows are stored.
///
/// @param epoch starts at 1 and grows with each change of the range or the cell
public record TabletSpec(
        long tabletId, long tableId, KeyRange range, TreeSettings settings, long epoch) {
    /// A tablet of a new table.
    public TabletSpec(long tabletId, long tableId, KeyRange range, TreeSettings settings) {
        this(tabletId, tableId, range, settings, 1);
    }

    /// A tablet with default settings.
    public TabletSpec(long tabletId, long tableId, KeyRange range) {
        this(tabletId, tableId, range, TreeSettings.DEFAULT);
    }

    public TabletSpec with(TreeSettings other) {
        return new TabletSpec(tabletId, tableId, range, other, epoch);
    }

    public TabletSpec inEpoch(long other) {
        return new TabletSpec(tabletId, tableId, range, settings, other);
    }
}
