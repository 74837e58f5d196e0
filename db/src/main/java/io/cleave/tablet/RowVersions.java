package io.cleave.tablet;

import io.cleave.schema.RowVersion;
import io.cleave.schema.VersionLimits;

import java.util.ArrayList;
import java.util.List;

/// Collects the versions of a row, the newest first, within limits.
///
/// Threads: one.
final class RowVersions {
    private final VersionLimits limits;
    private final List<RowVersion> all = new ArrayList<>();
    private long bytes;

    RowVersions(VersionLimits limits) {
        this.limits = limits;
    }

    /// The latest timestamp that the next version can have.
    long before() {
        return all.isEmpty() ? Long.MAX_VALUE : all.getLast().timestamp() - 1;
    }

    /// Adds the next version if there is room for it. Returns whether there is room for one more.
    boolean add(RowVersion version) {
        if (hasRoom()) {
            all.add(version);
            bytes += version.bytes();
        }
        return hasRoom();
    }

    private boolean hasRoom() {
        return all.size() < limits.count() && bytes <= limits.bytes();
    }

    List<RowVersion> all() {
        return all;
    }
}
