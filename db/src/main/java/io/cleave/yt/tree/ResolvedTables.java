package io.cleave.yt.tree;

import io.cleave.catalog.CatalogView;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The catalog paths of tables that calls have named, in one view of the catalog. Every call that
/// reads or writes rows resolves a path, and the view changes rarely.
///
/// Threads: any.
final class ResolvedTables {
    private static final int MAX_PATHS = 1_000;
    private static final int MAX_PATH_CHARS = 1_000;

    private final Supplier<CatalogView> newest;
    private volatile @Nullable OfView last;

    ResolvedTables(Supplier<CatalogView> newest) {
        this.newest = newest;
    }

    private record OfView(CatalogView view, Map<String, String> paths) {}

    /// The catalog path of a table. `resolve` resolves it in the newest view.
    String path(String ypath, Supplier<String> resolve) {
        CatalogView view = newest.get();
        OfView known = last;
        if (known == null || known.view() != view) {
            known = new OfView(view, new ConcurrentHashMap<>());
            last = known;
        }
        String path = known.paths().get(ypath);
        if (path != null) {
            return path;
        }
        String resolved = resolve.get();
        // Otherwise the path may have been resolved in a later view.
        boolean isOfView = newest.get() == view;
        if (isOfView && ypath.length() <= MAX_PATH_CHARS && known.paths().size() < MAX_PATHS) {
            known.paths().put(ypath, resolved);
        }
        return resolved;
    }
}
