package io.cleave.tablet;

import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;

/// What a crash leaves of a change of tablets, for tests of other packages.
public final class HalfDone {
    private HalfDone() {}

    /// The tablet is on its way to another cell, and has not come there.
    public static void detach(Cell source, long tabletId, long targetCellId) {
        long epoch = source.tablet(tabletId).epoch() + 1;
        source.journal().run(new Detach(tabletId, new Departure(targetCellId, epoch)));
    }
}
