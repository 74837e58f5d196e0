package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;
import static io.cleave.query.view.ViewColumn.unmeasured;

import io.cleave.base.Env;
import io.cleave.query.metric.QueryMetrics;
import io.cleave.query.metric.QueryUse;
import io.cleave.query.metric.TopQueries;
import io.cleave.schema.Table;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The system views `.sys/top_queries_by_…`: the most expensive runs of an interval by one measure.
/// Columns that are not measured, such as those of distributed execution, are NULL.
final class TopQueriesView implements SmallView {
    private static final long FIRST_TABLE_ID = -42;
    private static final String PREFIX = "top_queries_by_";
    private static final int KEY_COLUMNS = 2;

    private record Row(long intervalEndMicros, long rank, TopQueries.Entry entry) {
        QueryUse use() {
            return entry.use();
        }
    }

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    time("IntervalEnd", Row::intervalEndMicros),
                    new ViewColumn<>("Rank", Primitive.UINT32, row -> Value.of(row.rank())),
                    text("QueryText", row -> row.entry().text()),
                    new ViewColumn<>(
                            "Duration",
                            Primitive.INTERVAL,
                            row -> Value.of(row.use().durationMicros())),
                    time("EndTime", row -> row.entry().endMicros()),
                    text("Type", row -> row.entry().kind()),
                    number("ReadRows", row -> row.use().readRows()),
                    number("ReadBytes", row -> row.use().readBytes()),
                    number("UpdateRows", row -> row.use().updatedRows()),
                    number("UpdateBytes", row -> row.use().updatedBytes()),
                    number("DeleteRows", row -> row.use().erasedRows()),
                    number("DeleteBytes", row -> row.use().erasedBytes()),
                    unmeasured("Partitions", Primitive.UINT64),
                    unmeasured("UserSID", Primitive.UTF8),
                    unmeasured("ParametersSize", Primitive.UINT64),
                    new ViewColumn<>(
                            "CompileDuration",
                            Primitive.INTERVAL,
                            row -> Value.of(row.entry().compileMicros())),
                    new ViewColumn<>(
                            "FromQueryCache",
                            Primitive.BOOL,
                            row -> Value.bool(row.entry().fromCache())),
                    number("CPUTime", row -> row.use().workMicros()),
                    unmeasured("ShardCount", Primitive.UINT64),
                    unmeasured("SumShardCPUTime", Primitive.UINT64),
                    unmeasured("MinShardCPUTime", Primitive.UINT64),
                    unmeasured("MaxShardCPUTime", Primitive.UINT64),
                    unmeasured("ComputeNodesCount", Primitive.UINT64),
                    unmeasured("SumComputeCPUTime", Primitive.UINT64),
                    unmeasured("MinComputeCPUTime", Primitive.UINT64),
                    unmeasured("MaxComputeCPUTime", Primitive.UINT64),
                    unmeasured("CompileCPUTime", Primitive.UINT64),
                    unmeasured("ProcessCPUTime", Primitive.UINT64));

    private final Env env;
    private final TopQueries queries;
    private final Table table;

    private TopQueriesView(Env env, long tableId, String path, TopQueries queries) {
        this.env = env;
        this.queries = queries;
        table = ViewColumn.table(tableId, path, COLUMNS, KEY_COLUMNS);
    }

    static List<SystemView> all(Env env, String directory, QueryMetrics metrics) {
        List<SystemView> views = new ArrayList<>();
        metrics.tops()
                .forEach(
                        (name, queries) ->
                                views.add(
                                        new TopQueriesView(
                                                env,
                                                FIRST_TABLE_ID - views.size(),
                                                directory + "/" + PREFIX + name,
                                                queries)));
        return views;
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        List<Value[]> rows = new ArrayList<>();
        for (TopQueries.Interval interval : queries.intervals(env.wallMicros())) {
            long rank = 1;
            for (TopQueries.Entry entry : interval.entries()) {
                rows.add(ViewColumn.row(COLUMNS, new Row(interval.endMicros(), rank++, entry)));
            }
        }
        return rows;
    }
}
