package io.cleave.cluster;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.cluster.TableLocks.LockedTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.Table;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The catalog with the locks under which it is changed. Changes of the tree and changes of tablets
/// both go through it.
///
/// A change to an existing table first takes the lock of the table, for as long as the whole change
/// takes. It then takes the lock of the catalog, for the commit only.
///
/// Threads: any.
public final class HeldTables {
    // ---- own synchronisation

    private final TableLocks tables = new TableLocks();

    // ---- guarded by the lock

    /// One change of the catalog at a time.
    private final ReentrantLock lock = new ReentrantLock();

    /// Changed under the lock. Its view and its ids can be read without it.
    private final Catalog catalog;

    HeldTables(Catalog catalog) {
        this.catalog = catalog;
    }

    public Catalog catalog() {
        return catalog;
    }

    public CatalogView view() {
        return catalog.view();
    }

    /// Runs `change` while nobody else changes the catalog.
    @CanIgnoreReturnValue
    public <T> T changing(Supplier<T> change) {
        lock.lock();
        try {
            return change.get();
        } finally {
            lock.unlock();
        }
    }

    public void change(List<CatalogChange> changes) {
        lock.lock();
        try {
            catalog.change(changes);
        } finally {
            lock.unlock();
        }
    }

    /// Work on a table whose lock is held.
    public interface TableWork<T> {
        T run(Table table, LockedTables locked);
    }

    /// Runs `work` on the table at the path while nobody else changes the table. Throws
    /// SCHEME_ERROR if there is no table.
    public <T> T with(String path, Purpose purpose, TableWork<T> work) {
        return ifThere(path, purpose, work).orElseThrow(() -> PathErrors.missing(path));
    }

    /// Runs `work` on the table at the path while nobody else changes the table. Returns empty if
    /// nothing is at the path.
    public <T> Optional<T> ifThere(String path, Purpose purpose, TableWork<T> work) {
        Optional<Node> node = view().find(path);
        while (node.isPresent()) {
            Table seen = PathErrors.tableAt(node.get());
            Set<Long> touched = touched(seen, purpose);
            try (LockedTables locked = tables.take(touched, purpose)) {
                // The table may have been dropped, renamed or altered before the lock was taken.
                Optional<Table> table =
                        view().find(path)
                                .flatMap(Node::table)
                                .filter(found -> found.id() == seen.id());
                if (table.isPresent() && touched.equals(touched(table.get(), purpose))) {
                    return Optional.of(work.run(table.get(), locked));
                }
            }
            node = view().find(path);
        }
        return Optional.empty();
    }

    /// A change to a table's tablets does not touch its index tables.
    private Set<Long> touched(Table table, Purpose purpose) {
        return switch (purpose) {
            case CHANGE -> Set.of(table.id());
            case CHANGE_ALL, DROP -> view().idsWithIndexes(table);
        };
    }

    /// Takes the locks of these tables. The caller then checks that its paths still lead to them.
    public LockedTables take(Set<Long> tableIds, Purpose purpose) {
        return tables.take(tableIds, purpose);
    }
}
