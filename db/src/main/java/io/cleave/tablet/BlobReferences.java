package io.cleave.tablet;

import io.cleave.base.Check;
import io.cleave.lsm.Slice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How many slices of a cell name each blob. A blob may be shared by tablets, and a blob that
/// nobody names is never named again.
///
/// Threads: one at a time, whoever applies.
final class BlobReferences {
    private final Map<Long, Integer> counts = new HashMap<>();

    void add(List<Slice> slices) {
        for (Slice slice : slices) {
            counts.merge(slice.blobId(), 1, Integer::sum);
        }
    }

    /// Returns the blobs that were named by these slices last.
    List<Long> remove(List<Slice> slices) {
        List<Long> dead = new ArrayList<>();
        for (Slice slice : slices) {
            Integer left = counts.computeIfPresent(slice.blobId(), (_, count) -> count - 1);
            Check.that(left != null, "blob %d has no references", slice.blobId());
            if (left == 0) {
                counts.remove(slice.blobId());
                dead.add(slice.blobId());
            }
        }
        return dead;
    }

    /// Those blobs of the slices that nobody names.
    List<Long> unnamed(List<Slice> slices) {
        Set<Long> blobIds = new HashSet<>();
        slices.forEach(slice -> blobIds.add(slice.blobId()));
        blobIds.removeAll(counts.keySet());
        return List.copyOf(blobIds);
    }

    Set<Long> named() {
        return Set.copyOf(counts.keySet());
    }
}
