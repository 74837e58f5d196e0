package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.lsm.table.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellImage.Outline;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks what a cell's log says about its tablets.
final class CellCheck {
    private final FsckReport report;
    private final long cellId;
    private boolean isWhole = true;

    CellCheck(FsckReport report, long cellId) {
        this.report = report;
        this.cellId = cellId;
    }

    /// Returns whether everything is intact.
    boolean run(List<Outline> tablets, int fileCount) {
        tablets.forEach(this::checkSlices);
        report.looked(
                "cell %d: %s, %s"
                        .formatted(
                                cellId,
                                FsckReport.count(tablets.size(), "tablet"),
                                FsckReport.count(fileCount, "table file")));
        return isWhole;
    }

    private void checkSlices(Outline tablet) {
        KeyRange range = tablet.spec().range();
        List<Slice> slices = tablet.slices();
        for (int index = 0; index < slices.size(); index++) {
            Slice slice = slices.get(index);
            if (!covers(range, slice)) {
                damage(tablet, slice, "reaches beyond the tablet");
            }
            for (Slice other : slices.subList(0, index)) {
                if (slice.level() > 0 && slice.level() == other.level() && meet(slice, other)) {
                    damage(tablet, slice, "overlaps with blob " + other.blobId() + " on its level");
                }
            }
        }
    }

    private void damage(Outline tablet, Slice slice, String what) {
        isWhole = false;
        report.damage(
                "log of cell " + cellId,
                0,
                "tablet %d: the slice of blob %d on level %d %s"
                        .formatted(tablet.spec().tabletId(), slice.blobId(), slice.level(), what),
                "the records are intact, but contradict each other: restore all logs from one"
                        + " copy. If no file was exchanged, and no start has accepted a loss,"
                        + " please report this");
    }

    private static boolean covers(KeyRange range, Slice slice) {
        boolean endsInside = range.to() == null || compareTo(slice.to(), range.to()) <= 0;
        return range.from().compareTo(slice.from()) <= 0 && endsInside;
    }

    private static boolean meet(Slice one, Slice other) {
        return compareTo(one.to(), other.from()) > 0 && compareTo(other.to(), one.from()) > 0;
    }

    /// Compares the end of a range; null is after every key.
    private static int compareTo(@Nullable Bytes to, Bytes key) {
        return to == null ? 1 : to.compareTo(key);
    }
}
