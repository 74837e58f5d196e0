package io.cleave.query;

import io.cleave.exec.PointSelect;
import io.cleave.plan.Program;
import io.cleave.query.metric.QueryMeter;
import io.cleave.schema.View;
import io.cleave.tree.Scheme;

import java.util.List;
import java.util.Optional;

/// A program, the tables and views it was compiled against, and statistics of its runs.
///
/// @param point the whole program, if it is a read of one row
public record Compiled(
        Program program,
        List<TableAt> tables,
        List<View> views,
        boolean fromCache,
        long micros,
        Origin origin,
        LastLook lastLook,
        RowCounts rowCounts,
        ShortRuns shortRuns,
        QueryMeter meter,
        Optional<PointSelect> point) {
    /// When and for how long the program was compiled, and its number among the compilations of its
    /// node.
    record Origin(long number, long atMicros, long micros) {}

    /// A table that was found at a path while compiling.
    record TableAt(String path, long id, long version, int columnCount) {}

    /// The value of [Scheme#changes] when the tables and views were last found unchanged.
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

    /// The absolute paths of the tables that the program reads or writes.
    public List<String> tablePaths() {
        return tables.stream().map(TableAt::path).toList();
    }

    Compiled asCached() {
        return new Compiled(
                program, tables, views, true, 0, origin, lastLook, rowCounts, shortRuns, meter,
                point);
    }
}
