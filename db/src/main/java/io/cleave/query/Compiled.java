package io.cleave.query;

import io.cleave.cluster.Scheme;
import io.cleave.plan.Program;
import io.cleave.schema.View;

import java.util.List;

/// A program, what it was compiled against, and how its runs went.
public record Compiled(
        Program program,
        List<TableAt> tables,
        List<View> views,
        boolean fromCache,
        long micros,
        LastLook lastLook,
        RowCounts rowCounts,
        Brevity brevity,
        QueryMeter meter) {
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
        return new Compiled(program, tables, views, true, 0, lastLook, rowCounts, brevity, meter);
    }
}
