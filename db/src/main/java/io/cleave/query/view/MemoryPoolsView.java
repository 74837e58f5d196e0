package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;

import io.cleave.memory.MemoryPool;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.Supplier;

/// The system view `.sys/memory_pools`: one row for each pool of the memory that grows with
/// clients.
final class MemoryPoolsView {
    private static final String NAME = "memory_pools";
    private static final long TABLE_ID = -62;
    private static final int KEY_COLUMNS = 2;

    private record Row(int nodeId, MemoryPool.Figures pool) {}

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    new ViewColumn<>(
                            "NodeId", Primitive.UINT32, row -> Value.of((long) row.nodeId())),
                    text("Pool", row -> row.pool().name()),
                    number("LimitBytes", row -> row.pool().limitBytes()),
                    number("UsedBytes", row -> row.pool().usedBytes()),
                    number("HighestBytes", row -> row.pool().highestBytes()),
                    number("Waiting", row -> row.pool().waiting()),
                    number("Refusals", row -> row.pool().refusals()));

    private MemoryPoolsView() {}

    static SystemView of(String directory, int nodeId, Supplier<List<MemoryPool.Figures>> pools) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> pools.get().stream().map(pool -> new Row(nodeId, pool)).toList());
    }
}
