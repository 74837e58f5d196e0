package io.cleave.lsm;

import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// Which columns a read wants. Groups that have none of them are not read, and a row is done as
/// soon as all of them are known.
public final class Projection {
    public static final Projection ALL = new Projection(null);

    /// Only whether the row is there.
    public static final Projection NOTHING = new Projection(new int[0]);

    /// Ascending; null is all.
    final int @Nullable [] columns;

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

    /// Ascending; of [#ALL] there are none to name.
    public int[] columnIds() {
        Check.that(columns != null, "all columns");
        return Objects.requireNonNull(columns).clone();
    }

    boolean wants(int column) {
        return columns == null || Arrays.binarySearch(columns, column) >= 0;
    }
}
