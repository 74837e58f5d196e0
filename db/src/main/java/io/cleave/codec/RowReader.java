package io.cleave.codec;

import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads columns of stored rows of one version of a table: which fields are needed, and how they
/// become values. Made once for a plan. Immutable.
public final class RowReader {
    private final RowCodec codec;
    private final int[] columns;
    private final Projection stored;

    /// By place, the position of a column among the stored columns, or a negative number if it is a
    /// key column.
    private final int[] storedPlaces;

    /// `columns` are indexes into the columns of the codec's table, in the order in which their
    /// values are returned.
    public RowReader(RowCodec codec, int... columns) {
        this.codec = codec;
        this.columns = columns.clone();
        Table table = codec.table();
        int[] ids =
                Arrays.stream(columns)
                        .filter(column -> !table.isKey(column))
                        .map(column -> table.columns().get(column).id())
                        .sorted()
                        .distinct()
                        .toArray();
        stored = Projection.of(ids);
        storedPlaces =
                Arrays.stream(columns).map(column -> storedPlace(table, column, ids)).toArray();
    }

    private static int storedPlace(Table table, int column, int[] ids) {
        return table.isKey(column)
                ? -1
                : Arrays.binarySearch(ids, table.columns().get(column).id());
    }

    /// The columns that must be read from storage. Key columns are not among them; they are decoded
    /// from the key.
    public Projection stored() {
        return stored;
    }

    /// The values of the columns.
    public Value[] read(Row row) {
        return codec.read(row, columns);
    }

    /// One stored version, whose fields are in `row`.
    public RowVersion version(long timestamp, RowChange.Kind kind, Row row) {
        if (kind == RowChange.Kind.ERASE) {
            return new RowVersion(timestamp, true, List.of());
        }
        Value[] read = codec.read(row, columns);
        List<Optional<Value>> values = new ArrayList<>();
        for (int place = 0; place < columns.length; place++) {
            int id = codec.table().columns().get(columns[place]).id();
            boolean isSet =
                    kind == RowChange.Kind.REPLACE
                            || storedPlaces[place] < 0
                            || row.fieldIndex(id) >= 0
                            || row.isNull(id);
            values.add(isSet ? Optional.of(read[place]) : Optional.empty());
        }
        return new RowVersion(timestamp, false, values);
    }

    public RowCodec codec() {
        return codec;
    }

    public int count() {
        return columns.length;
    }

    /// The index in the table of the column at `place`.
    public int column(int place) {
        return columns[place];
    }

    /// The position among [#stored] of the non-key column at `place`.
    public int storedPlace(int place) {
        return storedPlaces[place];
    }
}
