package io.cleave.tablet;

import io.cleave.lsm.LsmTree;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.TabletSpec;

import java.util.ArrayList;
import java.util.List;

/// Everything that a tablet takes to another cell, or gives to its copy. `tail` holds the rows that
/// are in none of its files.
record TabletCargo(
        long lastGeneration, List<Slice> slices, List<RangeErase> erases, List<Version> tail) {
    TabletCargo {
        slices = List.copyOf(slices);
        erases = List.copyOf(erases);
        tail = List.copyOf(tail);
    }

    /// The tablet takes no writes meanwhile.
    static TabletCargo of(Tablet tablet) {
        LsmTree tree = tablet.tree();
        List<Version> tail = new ArrayList<>();
        tree.eachUnflushed(
                (key, timestamp, change) -> tail.add(new Version(key, timestamp, change)));
        return new TabletCargo(tree.lastGeneration(), tree.slices(), tree.erases(), tail);
    }

    /// The tablet that arrives with the record at `position`.
    TabletState arriving(TabletSpec spec, long position) {
        return new TabletState(spec, lastGeneration, List.of(), position, slices, erases, null);
    }
}
