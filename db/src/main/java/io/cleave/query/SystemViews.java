package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Scheme;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.RowStream;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Tables that nobody stores: their rows are made when they are read. They have negative ids, so
/// that a query's reads of them can be told from reads of the store.
final class SystemViews {
    /// Below the database.
    static final String DIRECTORY = ".sys";

    private final String directory;

    /// With its slash, so that looking for it makes nothing.
    private final String directoryPrefix;

    private final PartitionStats partitionStats;

    SystemViews(Scheme scheme, int nodeId) {
        this.directory = scheme.database() + "/" + DIRECTORY;
        this.directoryPrefix = directory + "/";
        this.partitionStats = new PartitionStats(scheme, nodeId);
    }

    static boolean holds(Table table) {
        return table.id() < 0;
    }

    String directory() {
        return directory;
    }

    boolean isBelow(String path) {
        return path.equals(directory) || path.startsWith(directoryPrefix);
    }

    Table partitionStats() {
        return partitionStats.table();
    }

    Optional<Table> find(String path) {
        return path.equals(partitionStats().path())
                ? Optional.of(partitionStats())
                : Optional.empty();
    }

    Value @Nullable [] get(Bytes key, int[] columns) {
        Value[] row = rowsByKey().get(key);
        return row == null ? null : pick(row, columns);
    }

    RowStream scan(KeyRange range, int[] columns, Direction direction) {
        Map<Bytes, Value[]> rows =
                direction == Direction.FORWARD ? rowsByKey() : rowsByKey().descendingMap();
        return new Rows(rows, range, columns);
    }

    static StatusException readOnly(String path) {
        return new StatusException(
                Status.BAD_REQUEST,
                Issue.error(Issue.BAD_REQUEST, "System view is read-only: " + path));
    }

    private NavigableMap<Bytes, Value[]> rowsByKey() {
        NavigableMap<Bytes, Value[]> byKey = new TreeMap<>();
        var keyTypes = partitionStats.keyTypes();
        for (Value[] row : partitionStats.rows()) {
            byKey.put(KeyCodec.encode(keyTypes, Arrays.copyOf(row, keyTypes.size())), row);
        }
        return byKey;
    }

    private static Value[] pick(Value[] row, int[] columns) {
        Value[] picked = new Value[columns.length];
        for (int index = 0; index < columns.length; index++) {
            picked[index] = row[columns[index]];
        }
        return picked;
    }

    private static final class Rows implements RowStream {
        private final Iterator<Map.Entry<Bytes, Value[]>> rest;
        private final KeyRange range;
        private final int[] columns;
        private Value[] current = new Value[0];

        Rows(Map<Bytes, Value[]> rows, KeyRange range, int[] columns) {
            this.rest = rows.entrySet().iterator();
            this.range = range;
            this.columns = columns;
        }

        @Override
        public boolean next() {
            while (rest.hasNext()) {
                var entry = rest.next();
                if (range.contains(entry.getKey())) {
                    current = pick(entry.getValue(), columns);
                    return true;
                }
            }
            return false;
        }

        @Override
        public Value[] row() {
            return current;
        }

        @Override
        public void close() {}
    }
}
