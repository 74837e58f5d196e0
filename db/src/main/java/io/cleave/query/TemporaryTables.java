package io.cleave.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Scheme;
import io.cleave.schema.Table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// The temporary tables of one session: by the paths that the session knows them by, where they
/// stand, which is in no listing. Where one has the path of another table, the session sees its
/// own. They go with the session; what a crash leaves of them is removed by the next start.
///
/// Threads: any.
public final class TemporaryTables {
    static final int MAX_TABLES = 100;

    private final ReentrantLock lock = new ReentrantLock();

    /// Immutable; changed under the lock.
    private volatile Map<String, String> places = Map.of();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean closeIsAwaited;

    /// Where they stand, by their paths.
    Map<String, String> places() {
        return places;
    }

    public boolean holds(String path) {
        return places.containsKey(path);
    }

    /// Where the table with this path, or what is below it, really stands. What stands where no
    /// listing shows it is known by no other path than the session's.
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

    /// False when the session has one there, and that is no mistake.
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

    /// False when the session is over: then the table has to go.
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

    /// True once: whoever is told so waits for the end of the session, to drop what there is then.
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

    /// The session is over; returns where the tables are that have to go with it.
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
