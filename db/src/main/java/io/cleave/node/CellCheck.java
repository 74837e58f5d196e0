package io.cleave.node;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellImage.Outline;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a cell's log says about its tablets, against the files that are there.
final class CellCheck {
    private final FsckReport report;
    private final long cellId;
    private final TableFiles files;
    private final Set<Long> named = new HashSet<>();
    private boolean isWhole = true;

    CellCheck(FsckReport report, long cellId, TableFiles files) {
        this.report = report;
        this.cellId = cellId;
        this.files = files;
    }

    /// Whether nothing was damaged.
    boolean run(List<Outline> tablets) {
        Map<Long, Set<Long>> tabletsOf = new TreeMap<>();
        for (Outline tablet : tablets) {
            checkSlices(tablet);
            for (Slice slice : tablet.slices()) {
                tabletsOf
                        .computeIfAbsent(slice.blobId(), _ -> new TreeSet<>())
                        .add(tablet.spec().tabletId());
            }
        }
        report.looked(
                "cell %d: %s, %s"
                        .formatted(
                                cellId,
                                FsckReport.count(tablets.size(), "tablet"),
                                FsckReport.count(tabletsOf.size(), "table file")));
        tabletsOf.forEach(this::checkTable);
        if (isWhole) {
            noteOrphans();
        }
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
                "the log's records are whole, so this is a bug of Cleave: please report it");
    }

    private static boolean covers(KeyRange range, Slice slice) {
        boolean endsInside = range.to() == null || compareTo(slice.to(), range.to()) <= 0;
        return range.from().compareTo(slice.from()) <= 0 && endsInside;
    }

    private static boolean meet(Slice one, Slice other) {
        return compareTo(one.to(), other.from()) > 0 && compareTo(other.to(), one.from()) > 0;
    }

    /// Null is behind every key.
    private static int compareTo(@Nullable Bytes to, Bytes key) {
        return to == null ? 1 : to.compareTo(key);
    }

    private void checkTable(long blobId, Set<Long> tablets) {
        CorruptionException damage = files.check(blobId);
        if (damage == null) {
            named.addAll(files.blobIds(blobId));
            return;
        }
        isWhole = false;
        report.damage(
                damage,
                "rows of tablet %s are in it: restore the file from a copy"
                        .formatted(
                                String.join(", ", tablets.stream().map(String::valueOf).toList())));
    }

    private void noteOrphans() {
        for (long blobId : files.blobs().list()) {
            if (!named.contains(blobId)) {
                BlobReader orphan = files.blobs().open(blobId);
                report.note(
                        orphan.name(),
                        "no tablet names this blob of %d bytes; the next start removes it"
                                .formatted(orphan.size()));
            }
        }
    }
}
