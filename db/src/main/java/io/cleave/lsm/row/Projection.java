package io.cleave.lsm.row;

import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// The columns that a read wants. Families without such a column are not read, and a row is
/// complete as soon as all these columns are known.
public final class Projection {
    public static final Projection ALL = new Projection(null);

    /// No columns: the read only asks whether the row exists.
    public static final Projection NOTHING = new Projection(new int[0]);

    /// Ascending; null means all columns.
    public final int @Nullable [] columns;

    private Projection(int @Nullable [] columns) {
        this.columns = columns;
    }

    public static Projection of(int... ascendingColumnIds) {
        for (int index = 1; index < ascendingColumnIds.length; index++) {
            Check.that(
                    ascendingColumnIds[index - 1] < ascendingColumnIds[index],
                    "columns must ascend");
        }
        return new Projection(ascendingColumnIds.clone());
    }

    /// The columns, ascending. Must not be called on [#ALL].
    public int[] columnIds() {
        Check.that(columns != null, "all columns");
        return Objects.requireNonNull(columns).clone();
    }

    boolean wants(int column) {
        return columns == null || Arrays.binarySearch(columns, column) >= 0;
    }
}
