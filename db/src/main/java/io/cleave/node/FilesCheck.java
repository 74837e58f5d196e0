package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.tablet.CellImage.Outline;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Checks the table files of one blob store: every block of the files that tablets name. Also
/// reports files that no tablet names.
final class FilesCheck {
    private final FsckReport report;

    /// The tablets with rows in each file, by blob id.
    private final Map<Long, Set<Long>> tabletsOf = new TreeMap<>();

    /// The slice that the records give for each file, by blob id.
    private final Map<Long, Slice> slices = new TreeMap<>();

    private final Set<Long> named = new HashSet<>();
    private boolean isWhole = true;

    FilesCheck(FsckReport report) {
        this.report = report;
    }

    /// Adds the files of a cell's tablets; returns the number of files.
    int add(List<Outline> tablets) {
        Set<Long> ofCell = new HashSet<>();
        for (Outline tablet : tablets) {
            for (Slice slice : tablet.slices()) {
                ofCell.add(slice.blobId());
                slices.merge(
                        slice.blobId(),
                        slice,
                        (one, other) -> one.identity() == null ? other : one);
                tabletsOf
                        .computeIfAbsent(slice.blobId(), _ -> new TreeSet<>())
                        .add(tablet.spec().tabletId());
            }
        }
        return ofCell.size();
    }

    /// Returns whether everything is intact. Orphans are reported only if the tablets of all cells
    /// are known; otherwise such a file may belong to an unknown tablet.
    boolean run(TableFiles files, boolean allCellsKnown) {
        slices.forEach(
                (blobId, slice) -> check(files, slice, tabletsOf.getOrDefault(blobId, Set.of())));
        if (isWhole && allCellsKnown) {
            noteOrphans(files);
        }
        return isWhole;
    }

    private void check(TableFiles files, Slice slice, Set<Long> tablets) {
        CorruptionException damage = files.check(slice);
        if (damage == null) {
            named.addAll(files.blobIds(slice.blobId()));
            return;
        }
        isWhole = false;
        report.damage(
                damage,
                "rows of tablet %s are in it: restore the file from a copy, or start without them"
                        .formatted(
                                String.join(", ", tablets.stream().map(String::valueOf).toList())));
    }

    private void noteOrphans(TableFiles files) {
        for (long blobId : files.blobs().list()) {
            if (!named.contains(blobId)) {
                BlobReader orphan = files.blobs().open(blobId);
                report.note(
                        orphan.name(),
                        ("no tablet uses this blob of %d bytes; the next start removes it, or sets"
                                        + " it aside if records are lost")
                                .formatted(orphan.size()));
            }
        }
    }
}
