package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// The plainest thing that behaves as an [LsmTree] should: every version ever written, by key.
public final class LsmModel {
    /// They are numbered from 0.
    static final int COLUMNS = 12;

    private final NavigableMap<Bytes, List<Change>> versions = new TreeMap<>();
    private final List<RangeErase> erased = new ArrayList<>();

    /// A null field is NULL.
    record Change(long timestamp, RowChange.Kind kind, Map<Integer, @Nullable String> fields) {}

    /// What a read must find.
    public record ModelRow(Bytes key, long timestamp, Map<Integer, @Nullable String> fields) {}

    void write(Bytes key, Change change) {
        versions.computeIfAbsent(key, _ -> new ArrayList<>()).add(change);
    }

    /// An erase of every key that is there.
    void eraseRange(Bytes from, @Nullable Bytes to, long timestamp) {
        range(from, to)
                .values()
                .forEach(all -> all.add(new Change(timestamp, RowChange.Kind.ERASE, Map.of())));
        erased.add(new RangeErase(from, to, timestamp));
    }

    @Nullable ModelRow get(Bytes key, long snapshot) {
        @Nullable Map<Integer, @Nullable String> fields = null;
        long timestamp = 0;
        for (Change change : versions.getOrDefault(key, List.of())) {
            if (change.timestamp > snapshot) {
                continue;
            }
            timestamp = change.timestamp;
            switch (change.kind) {
                case ERASE -> fields = null;
                case REPLACE -> fields = new TreeMap<>(change.fields);
                case UPSERT -> {
                    fields = fields == null ? new TreeMap<>() : fields;
                    fields.putAll(change.fields);
                }
            }
        }
        if (fields == null) {
            return null;
        }
        fields.values().removeIf(Objects::isNull);
        return new ModelRow(key, timestamp, fields);
    }

    List<ModelRow> scan(Bytes from, @Nullable Bytes to, long snapshot, Direction direction) {
        List<ModelRow> rows = new ArrayList<>();
        for (Bytes key : range(from, to).keySet()) {
            ModelRow row = get(key, snapshot);
            if (row != null) {
                rows.add(row);
            }
        }
        return direction == Direction.FORWARD ? rows : rows.reversed();
    }

    /// The row, with these columns alone.
    static @Nullable ModelRow only(@Nullable ModelRow row, Set<Integer> columns) {
        if (row == null) {
            return null;
        }
        Map<Integer, @Nullable String> fields = new TreeMap<>(row.fields);
        fields.keySet().retainAll(columns);
        return new ModelRow(row.key, row.timestamp, fields);
    }

    /// Whether a reader of the snapshot must hear of newer versions. A range erase counts where it
    /// takes away a row that the snapshot sees.
    boolean anyNewer(Bytes from, @Nullable Bytes to, long snapshot) {
        for (Map.Entry<Bytes, List<Change>> row : range(from, to).entrySet()) {
            boolean seen = get(row.getKey(), snapshot) != null;
            for (Change change : row.getValue()) {
                if (change.timestamp > snapshot && (seen || !isRangeErase(change))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isRangeErase(Change change) {
        return erased.stream().anyMatch(erase -> erase.timestamp() == change.timestamp);
    }

    /// Whether it may hear of some.
    boolean maybeNewer(Bytes from, @Nullable Bytes to, long snapshot) {
        return anyNewer(from, to, snapshot)
                || !new RangeErases(erased)
                        .within(from, to).all().stream()
                                .allMatch(erase -> erase.timestamp() <= snapshot);
    }

    private NavigableMap<Bytes, List<Change>> range(Bytes from, @Nullable Bytes to) {
        if (to == null) {
            return versions.tailMap(from, true);
        }
        return from.compareTo(to) >= 0 ? new TreeMap<>() : versions.subMap(from, true, to, false);
    }

    static Bytes encode(RowChange.Kind kind, Map<Integer, @Nullable String> fields) {
        int[] columns = new int[fields.size()];
        byte[] @Nullable [] values = new byte[fields.size()] @Nullable [];
        int index = 0;
        for (var field : fields.entrySet()) {
            columns[index] = field.getKey();
            String text = field.getValue();
            values[index++] = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }
        return RowChange.encode(kind, columns, values);
    }

    public static ModelRow modelRow(Row row) {
        Map<Integer, @Nullable String> fields = new TreeMap<>();
        for (int column = 0; column < COLUMNS; column++) {
            int index = row.fieldIndex(column);
            if (index >= 0) {
                int length = row.to(index) - row.from(index);
                byte[] data = row.data(index);
                fields.put(
                        column, new String(data, row.from(index), length, StandardCharsets.UTF_8));
            }
        }
        return new ModelRow(row.key(), row.timestamp(), fields);
    }
}
