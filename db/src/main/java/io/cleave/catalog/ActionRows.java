package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RowCursor;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/// The stored actions, which are changes of tablets, by number. Their bytes are encoded and decoded
/// by `control.action`. They are written together with decisions ([DecisionRows#change]).
public final class ActionRows {
    private ActionRows() {}

    /// Rows to write and to erase.
    public record Change(SortedMap<Long, Bytes> puts, SortedSet<Long> removals) {
        public static final Change NONE =
                new Change(Collections.emptySortedMap(), Collections.emptySortedSet());

        public Change {
            puts = Collections.unmodifiableSortedMap(new TreeMap<>(puts));
            removals = Collections.unmodifiableSortedSet(new TreeSet<>(removals));
        }

        public boolean isEmpty() {
            return puts.isEmpty() && removals.isEmpty();
        }
    }

    /// All rows in the tablets of the system cell. There are none in a cell of an older version.
    public static SortedMap<Long, Bytes> read(
            LongFunction<@Nullable Tablet> tablets, long snapshot) {
        SortedMap<Long, Bytes> found = new TreeMap<>();
        Tablet tablet = tablets.apply(SystemTables.ACTIONS);
        if (tablet != null) {
            RowCursor rows =
                    tablet.scan(KeyRange.ALL, Projection.ALL, snapshot, Direction.FORWARD, null);
            while (rows.next()) {
                found.put(
                        SystemTables.readNumberKey(rows.row()), SystemTables.readEntry(rows.row()));
            }
        }
        return found;
    }
}
