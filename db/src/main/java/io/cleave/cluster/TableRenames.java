package io.cleave.cluster;

import io.cleave.catalog.Catalog;
import io.cleave.cluster.Scheme.Renaming;
import io.cleave.cluster.TableLocks.Purpose;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Renames tables: one change of the catalog, whatever they hold. Whoever looks a path up finds
/// what was there before, or all that is there after.
record TableRenames(LocalCluster cluster, Catalog catalog, TableLocks locks, NewPaths newPaths) {
    void run(List<Renaming> renamings) {
        boolean done = false;
        while (!done) {
            Set<Long> touched = renames(renamings).tables();
            try (TableLocks.Held _ = locks.take(touched, Purpose.CHANGE)) {
                done = rename(renamings, touched);
            }
        }
    }

    private Renames renames(List<Renaming> renamings) {
        var renames = new Renames(catalog.view(), newPaths);
        renamings.forEach(renames::add);
        return renames;
    }

    /// False when other tables are at these paths than those that are held.
    private boolean rename(List<Renaming> renamings, Set<Long> held) {
        Set<Long> replaced = new HashSet<>();
        boolean done =
                cluster.changing(
                        () -> {
                            Renames renames = renames(renamings);
                            if (!held.equals(renames.tables())) {
                                return false;
                            }
                            catalog.change(renames.changes());
                            replaced.addAll(renames.replaced());
                            return true;
                        });
        if (!replaced.isEmpty()) {
            cluster.forget(replaced);
        }
        return done;
    }
}
