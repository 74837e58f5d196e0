package io.cleave.query;

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
        Brevity brevity,
        QueryMeter meter) {
    /// A table that was found at a path while compiling.
    record TableAt(String path, long id, long version) {}

    public Compiled {
        tables = List.copyOf(tables);
        views = List.copyOf(views);
    }

    Compiled asCached() {
        return new Compiled(program, tables, views, true, 0, brevity, meter);
    }
}
