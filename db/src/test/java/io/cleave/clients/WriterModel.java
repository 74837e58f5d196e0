package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// What one writer knows of its rows: what was acknowledged, and the one write that was sent and
/// not answered, which may be there as a whole or not at all.
///
/// Threads: the writer's, and the test's while the writer does not run.
final class WriterModel {
    /// A row of one of the two tables.
    record Key(String table, long id) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byTable = table.compareTo(other.table);
            return byTable != 0 ? byTable : Long.compareUnsigned(id, other.id);
        }
    }

    /// In the place of a version: the row is deleted.
    static final long DELETED = 0;

    /// The version of each row that is there.
    private final Map<Key, Long> acknowledged = new TreeMap<>();

    private @Nullable Map<Key, Long> unanswered;
    private long lastVersion;
    private long acknowledgedCount;

    /// A version that no row of the writer ever had.
    long nextVersion() {
        return ++lastVersion;
    }

    void sent(Map<Key, Long> write) {
        assertThat(unanswered).isNull();
        unanswered = new HashMap<>(write);
    }

    void acknowledged() {
        apply(acknowledged, pending());
        unanswered = null;
        acknowledgedCount++;
    }

    /// The server said that nothing was written.
    void refused() {
        pending();
        unanswered = null;
    }

    long acknowledgedCount() {
        return acknowledgedCount;
    }

    Map<Key, Long> rows() {
        return acknowledged;
    }

    /// Compares with what a restarted server has of this writer's rows, and goes on from there.
    void recover(Map<Key, Long> found) {
        if (found.equals(acknowledged)) {
            unanswered = null;
            return;
        }
        assertThat(unanswered)
                .as("without a write in flight: found %s, acknowledged %s", found, acknowledged)
                .isNotNull();
        Map<Key, Long> whole = new TreeMap<>(acknowledged);
        apply(whole, pending());
        assertThat(found)
                .as("acknowledged was %s, sent was %s", acknowledged, unanswered)
                .isEqualTo(whole);
        acknowledged.clear();
        acknowledged.putAll(whole);
        unanswered = null;
    }

    private Map<Key, Long> pending() {
        assertThat(unanswered).isNotNull();
        return unanswered;
    }

    private static void apply(Map<Key, Long> rows, Map<Key, Long> write) {
        write.forEach(
                (key, version) -> {
                    if (version == DELETED) {
                        rows.remove(key);
                    } else {
                        rows.put(key, version);
                    }
                });
    }
}
