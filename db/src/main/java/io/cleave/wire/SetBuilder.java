package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Builds parts of result sets, as messages or as bytes. In this order: a shape, then for each part
/// a start, its rows and the build.
interface SetBuilder<S> {
    /// What the rows of the next parts are.
    void shape(ResultShape shape);

    void start(boolean withColumns);

    /// Makes a row ready to be added, to this part or the next; returns how many bytes it has.
    int ready(Value[] row);

    /// Adds the row that is ready.
    void add();

    S build(boolean truncated);
}
