package io.cleave.tablet.record;

import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;

/// The description of a tablet: a key range of a table, and how its rows are stored.
///
/// @param epoch starts at 1 and grows with each change of the range or the cell
/// @param minVersion commits made for an earlier version of the table are refused
public record TabletSpec(
        long tabletId,
        long tableId,
        KeyRange range,
        TreeSettings settings,
        long epoch,
        long minVersion) {
    /// A tablet that takes commits of every version of its table.
    public TabletSpec(
            long tabletId, long tableId, KeyRange range, TreeSettings settings, long epoch) {
        this(tabletId, tableId, range, settings, epoch, 0);
    }

    /// A tablet of a new table.
    public TabletSpec(long tabletId, long tableId, KeyRange range, TreeSettings settings) {
        this(tabletId, tableId, range, settings, 1);
    }

    /// A tablet with default settings.
    public TabletSpec(long tabletId, long tableId, KeyRange range) {
        this(tabletId, tableId, range, TreeSettings.DEFAULT);
    }

    public TabletSpec with(TreeSettings other) {
        return new TabletSpec(tabletId, tableId, range, other, epoch, minVersion);
    }

    public TabletSpec inEpoch(long other) {
        return new TabletSpec(tabletId, tableId, range, settings, other, minVersion);
    }

    /// A minimal version never goes back.
    public TabletSpec requiring(long version) {
        return new TabletSpec(
                tabletId, tableId, range, settings, epoch, Math.max(minVersion, version));
    }
}
