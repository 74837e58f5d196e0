package io.cleave.query.metric;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;

/// Warns the user about rows that a query has written to a table: long keys, large rows, NULL in
/// keys. Each warning is given once.
///
/// Threads: only the thread of the run.
final class WriteWarnings {
    static final long LONG_KEY_BYTES = 2 << 10;
    static final long LARGE_ROW_BYTES = 8 << 20;

    private static final byte NULL_MARK = 0;

    private final Table table;

    /// The keys of an index follow from the rows of its table, so there are no warnings about them.
    private final boolean isOfIndex;

    private final List<Type> keyTypes;
    private final boolean canBeNull;

    private long longestKeyBytes;
    private long largestRowBytes;
    private boolean hasNull;

    WriteWarnings(Table table) {
        this.table = table;
        isOfIndex = table.isIndexTable();
        List<Column> key = table.key();
        keyTypes = key.stream().map(Column::type).toList();
        canBeNull = !isOfIndex && !key.stream().allMatch(Column::notNull);
    }

    void look(Bytes key, long rowBytes) {
        // An encoded key is longer than its values together.
        if (key.length() > LONG_KEY_BYTES && key.length() > longestKeyBytes) {
            longestKeyBytes = Math.max(longestKeyBytes, KeyCodec.valueBytes(keyTypes, key));
        }
        if (rowBytes > largestRowBytes) {
            largestRowBytes = rowBytes;
        }
        if (canBeNull && !hasNull) {
            // Most keys have one column, whose first byte tells whether it is NULL.
            hasNull =
                    keyTypes.size() == 1 ? key.at(0) == NULL_MARK : KeyCodec.hasNull(keyTypes, key);
        }
    }

    List<Issue> issues() {
        if (isOfIndex
                || (longestKeyBytes <= LONG_KEY_BYTES
                        && largestRowBytes <= LARGE_ROW_BYTES
                        && !hasNull)) {
            return List.of();
        }
        List<Issue> issues = new ArrayList<>();
        if (longestKeyBytes > LONG_KEY_BYTES) {
            issues.add(
                    warning(
                            "a key of %d bytes was written. Keys are held in memory and compared often; keep them below %d bytes"
                                    .formatted(longestKeyBytes, LONG_KEY_BYTES)));
        }
        if (largestRowBytes > LARGE_ROW_BYTES) {
            issues.add(
                    warning(
                            "%d bytes were written to one row. A row is read and rewritten as a whole; split large values over several rows"
                                    .formatted(largestRowBytes)));
        }
        if (hasNull) {
            issues.add(
                    warning(
                            "a row with NULL in its key was written. All such rows are stored next"
                                    + " to each other; declare the key columns NOT NULL"));
        }
        return issues;
    }

    private Issue warning(String what) {
        return Issue.warning(0, "Table '%s': %s".formatted(table.path(), what));
    }
}
