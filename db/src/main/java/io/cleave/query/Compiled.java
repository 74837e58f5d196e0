package io.cleave.query;

import io.cleave.plan.Program;

import java.util.List;

/// A program and what it was compiled against.
public record Compiled(Program program, List<TableAt> tables, boolean fromCache, long micros) {
    /// A table that was found at a path while compiling.
    record TableAt(String path, long id, long version) {}

    public Compiled {
        tables = List.copyOf(tables);
    }

    Compiled asCached() {
        return new Compiled(program, tables, true, 0);
    }
}
