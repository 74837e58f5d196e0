package io.cleave.tree;

import io.cleave.cluster.TableLocks.LockedTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.tree.Scheme.Renaming;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Renames tables in one catalog change, regardless of their size. A lookup sees either all of the
/// old paths or all of the new ones.
record TableRenames(Tablets tablets, NewPaths newPaths) {
    void run(List<Renaming> renamings) {
        boolean done = false;
        while (!done) {
            Set<Long> touched = renames(renamings).tables();
            try (LockedTables _ = tablets.held().take(touched, Purpose.CHANGE)) {
                done = rename(renamings, touched);
            }
        }
    }

    private Renames renames(List<Renaming> renamings) {
        var renames = new Renames(tablets.held().view(), newPaths);
        renamings.forEach(renames::add);
        return renames;
    }

    /// Returns false if the paths no longer lead to the tables whose locks are held.
    private boolean rename(List<Renaming> renamings, Set<Long> held) {
        Set<Long> replaced = new HashSet<>();
        boolean done =
                tablets.held()
                        .changing(
                                () -> {
                                    Renames renames = renames(renamings);
                                    if (!held.equals(renames.tables())) {
                                        return false;
                                    }
                                    tablets.held().catalog().change(renames.changes());
                                    replaced.addAll(renames.replaced());
                                    return true;
                                });
        if (!replaced.isEmpty()) {
            tablets.forget(replaced);
        }
        return done;
    }
}
