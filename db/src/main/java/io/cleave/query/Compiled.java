package io.cleave.query;

import io.cleave.cluster.Scheme;
import io.cleave.exec.PointSelect;
import io.cleave.plan.Program;
import io.cleave.schema.View;

import java.util.List;
import java.util.Optional;

/// A program, what it was compiled against, and how its runs went.
///
/// @param point the whole program, where it is a read of one row
public record Compiled(
        Program program,
        List<TableAt> tables,
        List<View> views,
        boolean fromCache,
        long micros,
        Origin origin,
        LastLook lastLook,
        RowCounts rowCounts,
        Brevity brevity,
        QueryMeter meter,
        Optional<PointSelect> point) {
    /// When it was compiled, as the how many-th of its node, and how long that took.
    record Origin(long number, long atMicros, long micros) {}

    /// A table that was found at a path while compiling.
    record TableAt(String path, long id, long version) {}

    /// When its tables and views were last found to be what they were: [Scheme#changes] then.
    static final class LastLook {
        volatile long changes;

        LastLook(long changes) {
            this.changes = changes;
        }
    }

    public Compiled {
        tables = List.copyOf(tables);
        views = List.copyOf(views);
    }

    Compiled asCached() {
        return new Compiled(
                program, tables, views, true, 0, origin, lastLook, rowCounts, brevity, meter,
                point);
    }
}
