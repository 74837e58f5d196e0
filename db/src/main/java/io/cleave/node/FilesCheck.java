package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.tablet.CellImage.Outline;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The table files of one blob store: every block of those that tablets name, and whether there are
/// others.
final class FilesCheck {
    private final FsckReport report;

    /// The tablets that have rows in each file.
    private final Map<Long, Set<Long>> tabletsOf = new TreeMap<>();

    /// What records say of each file.
    private final Map<Long, Slice> slices = new TreeMap<>();

    private final Set<Long> named = new HashSet<>();
    private boolean isWhole = true;

    FilesCheck(FsckReport report) {
        this.report = report;
    }

    /// The files of tablets of a cell; returns how many that are.
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

    /// Whether nothing was damaged. With a cell of which nothing is known, a file that nobody names
    /// may be its.
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
                "rows of tablet %s are in it: restore the file from a copy"
                        .formatted(
                                String.join(", ", tablets.stream().map(String::valueOf).toList())));
    }

    private void noteOrphans(TableFiles files) {
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
