package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.txn.ReadColumns;
import io.cleave.value.Value;
import io.cleave.yt.format.RowOutput;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Writes the rows of a lookup, with some columns of the table. Columns that are not stored are
/// computed.
///
/// Threads: any.
final class RowLookup {
    private final WireTable table;
    private final ReadColumns read;
    private final List<Bytes> names;
    private final WireColumn[] shown;

    /// The shown columns, if one of them is computed. Null if all shown columns are read.
    private final int @Nullable [] computes;

    RowLookup(WireTable table, List<Integer> indexes) {
        this.table = table;
        names = indexes.stream().map(table.names()::get).toList();
        shown = indexes.stream().map(table::column).toArray(WireColumn[]::new);
        boolean computesSome = indexes.stream().anyMatch(table.keyed()::isComputedOnRead);
        computes = computesSome ? indexes.stream().mapToInt(Integer::intValue).toArray() : null;
        read = ReadColumns.of(table.table(), computesSome ? stored(indexes) : indexes);
    }

    /// The columns that must be read.
    private List<Integer> stored(List<Integer> indexes) {
        Set<Integer> stored = new LinkedHashSet<>();
        for (int index : indexes) {
            if (table.keyed().isComputedOnRead(index)) {
                stored.addAll(table.keyed().sources(index));
            } else {
                stored.add(index);
            }
        }
        return List.copyOf(stored);
    }

    ReadColumns columns() {
        return read;
    }

    List<Bytes> names() {
        return names;
    }

    /// Writes a row. `row` has the values of [#columns].
    void write(RowOutput out, Value[] row) {
        Value[] values = computes == null ? row : computed(row, computes);
        out.beginRow();
        for (int place = 0; place < values.length; place++) {
            shown[place].write(out, place, values[place]);
        }
        out.endRow();
    }

    private Value[] computed(Value[] row, int[] indexes) {
        var byColumn = new Value[table.columnCount()];
        for (int place = 0; place < row.length; place++) {
            byColumn[read.index(place)] = row[place];
        }
        var values = new Value[indexes.length];
        for (int place = 0; place < values.length; place++) {
            int column = indexes[place];
            values[place] =
                    table.keyed().isComputedOnRead(column)
                            ? table.keyed().computed(column, byColumn)
                            : byColumn[column];
        }
        return values;
    }
}
