package io.cleave.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Table;
import io.cleave.tree.Scheme;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// The temporary tables of one session. It maps the paths that the session uses to the paths where
/// the tables are stored, which are in no listing. If another table has the same path, the session
/// sees its own. The tables are dropped with the session. After a crash, the next start removes
/// them.
///
/// Threads: any.
public final class TemporaryTables {
    static final int MAX_TABLES = 100;

    private final ReentrantLock lock = new ReentrantLock();

    /// An immutable map that is replaced under the lock.
    private volatile Map<String, String> places = Map.of();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean closeIsAwaited;

    /// The stored path of each table, by the session's path.
    Map<String, String> places() {
        return places;
    }

    public boolean holds(String path) {
        return places.containsKey(path);
    }

    /// The stored path of the table with this path, or of something below it. Hidden paths are
    /// refused: a hidden table is known only by the session's path.
    public String resolve(Scheme scheme, String path) {
        if (scheme.isHidden(path)) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(Issue.PATH_NOT_FOUND, "Path does not exist: '" + path + "'"));
        }
        return resolved(places, path);
    }

    static String resolved(Map<String, String> places, String path) {
        if (places.isEmpty()) {
            return path;
        }
        String place = places.get(path);
        if (place != null) {
            return place;
        }
        for (Map.Entry<String, String> entry : places.entrySet()) {
            if (path.startsWith(entry.getKey() + "/")) {
                return entry.getValue() + path.substring(entry.getKey().length());
            }
        }
        return path;
    }

    /// False if the session already has a table with this path and `ifNotExists` is set.
    boolean mayCreate(String path, boolean ifNotExists) {
        Map<String, String> known = places;
        if (known.containsKey(path)) {
            if (ifNotExists) {
                return false;
            }
            throw problem(path, "path exist, request doesn't accept it");
        }
        if (known.size() >= MAX_TABLES) {
            throw problem(path, "a session may have at most " + MAX_TABLES + " temporary tables");
        }
        return true;
    }

    private static StatusException problem(String path, String error) {
        return new StatusException(
                Status.SCHEME_ERROR,
                Issue.error(Issue.SCHEME, "Check failed: path: '" + path + "', error: " + error));
    }

    /// False if the session has ended; then the caller must drop the table.
    boolean add(String path, Table table) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            Map<String, String> more = new HashMap<>(places);
            more.put(path, table.path());
            places = Map.copyOf(more);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// True for the first caller only. That caller registers the listener that drops the tables
    /// when the session is closed.
    boolean beginsToAwaitClose() {
        lock.lock();
        try {
            boolean begins = !closeIsAwaited;
            closeIsAwaited = true;
            return begins;
        } finally {
            lock.unlock();
        }
    }

    void remove(String path) {
        lock.lock();
        try {
            Map<String, String> fewer = new HashMap<>(places);
            fewer.remove(path);
            places = Map.copyOf(fewer);
        } finally {
            lock.unlock();
        }
    }

    /// Called when the session has ended. Returns the stored paths of the tables that must be
    /// dropped.
    List<String> close() {
        lock.lock();
        try {
            closed = true;
            List<String> left = List.copyOf(places.values());
            places = Map.of();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
