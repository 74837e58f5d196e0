package io.cleave.query;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A table as plain maps, for comparing: `k` is its key, `b` and `n` have defaults, `s` takes
/// numbers of a sequence, which are not known here until they have been seen, and `u` is unique.
final class WriteModel {
    static final List<String> COLUMNS = List.of("k", "a", "b", "u", "n", "c", "s");
    static final String DEFAULT_B = "d";
    static final long DEFAULT_N = 7;

    /// A number of the sequence that nobody has looked at yet.
    static final Object FRESH = "fresh";

    /// Nothing of the statement holds, nor of its transaction.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
    }

    enum Mode {
        UPSERT("UPSERT INTO"),
        REPLACE("REPLACE INTO"),
        INSERT("INSERT INTO"),
        INSERT_OR_ABORT("INSERT OR ABORT INTO"),
        INSERT_OR_REVERT("INSERT OR REVERT INTO"),
        INSERT_OR_IGNORE("INSERT OR IGNORE INTO"),
        UPDATE_ON("UPDATE"),
        DELETE_ON("DELETE FROM");

        final String words;

        Mode(String words) {
            this.words = words;
        }
    }

    final TreeMap<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();

    WriteModel copy() {
        var copy = new WriteModel();
        rows.forEach((key, row) -> copy.rows.put(key, new LinkedHashMap<>(row)));
        return copy;
    }

    /// Writes the rows and gives those that RETURNING has.
    List<Map<String, @Nullable Object>> write(Mode mode, List<Map<String, @Nullable Object>> given)
            throws Refused {
        boolean inserts =
                mode == Mode.INSERT
                        || mode == Mode.INSERT_OR_ABORT
                        || mode == Mode.INSERT_OR_REVERT;
        if (inserts && conflicts(given)) {
            if (mode == Mode.INSERT_OR_REVERT) {
                return List.of();
            }
            throw new Refused();
        }
        Set<Long> written = new LinkedHashSet<>();
        List<Map<String, @Nullable Object>> erased = new ArrayList<>();
        for (Map<String, @Nullable Object> row : given) {
            Long key = (Long) Objects.requireNonNull(row.get("k"));
            Map<String, @Nullable Object> old = rows.get(key);
            switch (mode) {
                case UPSERT -> rows.put(key, merged(old == null ? fresh() : old, row));
                case REPLACE, INSERT, INSERT_OR_ABORT, INSERT_OR_REVERT ->
                        rows.put(key, merged(fresh(), row));
                case INSERT_OR_IGNORE -> {
                    if (old != null) {
                        continue;
                    }
                    rows.put(key, merged(fresh(), row));
                }
                case UPDATE_ON -> {
                    if (old == null) {
                        continue;
                    }
                    rows.put(key, merged(old, row));
                }
                case DELETE_ON -> {
                    if (old != null) {
                        erased.add(old);
                        rows.remove(key);
                    }
                    continue;
                }
            }
            written.add(key);
        }
        checkUnique();
        if (mode == Mode.DELETE_ON) {
            return erased;
        }
        return written.stream().map(key -> Objects.requireNonNull(rows.get(key))).toList();
    }

    private boolean conflicts(List<Map<String, @Nullable Object>> given) {
        Set<Object> keys = new HashSet<>(rows.keySet());
        return given.stream().anyMatch(row -> !keys.add(Objects.requireNonNull(row.get("k"))));
    }

    List<Map<String, @Nullable Object>> update(
            Predicate<Map<String, @Nullable Object>> where,
            UnaryOperator<Map<String, @Nullable Object>> change)
            throws Refused {
        List<Map<String, @Nullable Object>> changed = new ArrayList<>();
        for (Map<String, @Nullable Object> row : rows.values()) {
            if (where.test(row)) {
                row.putAll(change.apply(row));
                changed.add(row);
            }
        }
        checkUnique();
        return changed;
    }

    List<Map<String, @Nullable Object>> delete(Predicate<Map<String, @Nullable Object>> where) {
        List<Map<String, @Nullable Object>> erased = rows.values().stream().filter(where).toList();
        rows.values().removeAll(erased);
        return erased;
    }

    private static Map<String, @Nullable Object> fresh() {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        COLUMNS.forEach(column -> row.put(column, null));
        row.put("b", DEFAULT_B);
        row.put("n", DEFAULT_N);
        row.put("s", FRESH);
        return row;
    }

    private static Map<String, @Nullable Object> merged(
            Map<String, @Nullable Object> old, Map<String, @Nullable Object> row) {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>(old);
        merged.putAll(row);
        return merged;
    }

    private void checkUnique() throws Refused {
        Set<Object> seen = new HashSet<>();
        for (Map<String, @Nullable Object> row : rows.values()) {
            Object value = row.get("u");
            if (value != null && !seen.add(value)) {
                throw new Refused();
            }
        }
    }
}
