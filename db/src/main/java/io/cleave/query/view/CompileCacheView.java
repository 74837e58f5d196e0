package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.base.Issue;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The system view `.sys/compile_cache_queries`: one row for each program in the plan cache. Cache
/// hits are not counted, so that a hit costs nothing.
final class CompileCacheView {
    private static final String NAME = "compile_cache_queries";
    private static final long TABLE_ID = -61;
    private static final int KEY_COLUMNS = 2;
    private static final long MILLI_MICROS = 1000;

    private record Row(int nodeId, CachedPlan plan) {
        String warnings() {
            return plan.warnings().stream().map(Issue::message).collect(Collectors.joining("\n"));
        }
    }

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    new ViewColumn<>(
                            "NodeId", Primitive.UINT32, row -> Value.of((long) row.nodeId())),
                    text("QueryId", row -> Long.toString(row.plan().number())),
                    text("Query", row -> row.plan().text()),
                    ViewColumn.unmeasured("AccessCount", Primitive.UINT64),
                    time("CompiledAt", row -> row.plan().atMicros()),
                    ViewColumn.unmeasured("UserSID", Primitive.UTF8),
                    ViewColumn.unmeasured("LastAccessedAt", Primitive.TIMESTAMP),
                    number("CompilationDurationMs", row -> row.plan().micros() / MILLI_MICROS),
                    text("Warnings", Row::warnings),
                    ViewColumn.unmeasured("Metadata", Primitive.UTF8),
                    new ViewColumn<>(
                            "IsTruncated",
                            Primitive.BOOL,
                            row -> Value.bool(row.plan().isTruncated())));

    private CompileCacheView() {}

    static SystemView of(String directory, int nodeId, Supplier<List<CachedPlan>> plans) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> plans.get().stream().map(plan -> new Row(nodeId, plan)).toList());
    }
}
