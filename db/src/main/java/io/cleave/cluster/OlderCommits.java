package io.cleave.cluster;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Ends the commits that were made for an older description of a table. The catalog has the new
/// description already. The tablets of the table then refuse older commits: see decision 36.
///
/// Threads: any. No lock of a table is needed: tablets that are split, merged or moved meanwhile
/// pass their minimal version on, and are looked up again.
public final class OlderCommits {
    /// The wait before tablets that have just changed are looked up again.
    private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

    private final Tablets tablets;
    private final Env env;

    OlderCommits(Tablets tablets, Env env) {
        this.tablets = tablets;
        this.env = env;
    }

    /// From now on the tablets of the table refuse commits that were made for an earlier version
    /// than the one that the catalog has now. Returns when every earlier commit is visible or has
    /// failed. Refuses nothing if the table was dropped.
    public void end(long tableId) {
        Optional<Table> table = find(tableId);
        while (table.isPresent() && !require(tableId, table.get().version())) {
            pause();
            table = find(tableId);
        }
        var _ = tablets.fence();
    }

    /// From now on the tablets of the table refuse all commits. Returns when every earlier commit
    /// is visible or has failed. The catalog no longer has the table, and the caller holds its
    /// lock.
    public void endAll(Table replaced) {
        while (!require(replaced.id(), replaced.version() + 1)) {
            pause();
        }
        var _ = tablets.fence();
    }

    private Optional<Table> find(long tableId) {
        return tablets.tables().stream().filter(table -> table.id() == tableId).findFirst();
    }

    /// Returns false if a tablet was split, merged, moved or dropped meanwhile.
    private boolean require(long tableId, long version) {
        @Nullable TabletMap map = tablets.maps().find(tableId);
        if (map == null) {
            // The table was dropped.
            return true;
        }
        // A merged tablet is found several times.
        Map<CellStructure, Set<Long>> byCell = new LinkedHashMap<>();
        for (Part part : map.find(KeyRange.ALL)) {
            Route route = part.route();
            byCell.computeIfAbsent(route.cell().structure(), _ -> new LinkedHashSet<>())
                    .add(route.tabletId());
        }
        boolean all = true;
        for (Map.Entry<CellStructure, Set<Long>> part : byCell.entrySet()) {
            all &= part.getKey().requireVersion(version, List.copyOf(part.getValue()));
        }
        return all;
    }

    private void pause() {
        try {
            env.sleep(LOOK_AGAIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(
                    Status.UNAVAILABLE, "interrupted while waiting for older commits to the table");
        }
    }
}
