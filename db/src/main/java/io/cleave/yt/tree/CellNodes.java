package io.cleave.yt.tree;

import io.cleave.schema.CellHealth;
import io.cleave.schema.ObjectId;
import io.cleave.value.YsonNode;

import java.util.Collection;
import java.util.List;

/// What cells have and use, as of one command. Implemented by the package of tables.
///
/// Threads: one at a time.
public interface CellNodes {
    CellHealth health(long cellId);

    /// The tablets of the cell that are not unmounted.
    List<ObjectId> tablets(long cellId);

    /// The sizes of these tablets together, with YTsaurus' names.
    YsonNode statistics(Collection<Long> cellIds);

    /// What these tablets use of the resources that a bundle may limit: `tablet_count` and
    /// `tablet_static_memory`.
    YsonNode resourceUsage(Collection<Long> cellIds);

    /// What the process has of these resources.
    YsonNode resourceLimits();
}
