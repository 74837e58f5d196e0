package io.cleave.query;

import static io.cleave.query.ViewColumn.number;
import static io.cleave.query.ViewColumn.text;
import static io.cleave.query.ViewColumn.time;

import io.cleave.schema.Table;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The system view `.sys/query_metrics_one_minute`: what the runs of each text took in a minute.
final class QueryMetricsView implements SystemView {
    private static final String NAME = "query_metrics_one_minute";
    private static final long TABLE_ID = -41;

    /// As [QueryFigures] counts them.
    private static final List<String> FIGURES =
            List.of(
                    "Duration",
                    "CPUTime",
                    "ReadRows",
                    "ReadBytes",
                    "UpdateRows",
                    "UpdateBytes",
                    "DeleteRows");

    private static final int KEY_COLUMNS = 2;

    private record Row(long endMicros, long rank, QueryMetrics.TextFigures text) {}

    private static final List<ViewColumn<Row>> COLUMNS = columns();

    private final QueryMetrics metrics;
    private final Table table;

    QueryMetricsView(String directory, QueryMetrics metrics) {
        this.metrics = metrics;
        table = ViewColumn.table(TABLE_ID, directory + "/" + NAME, COLUMNS, KEY_COLUMNS);
    }

    private static List<ViewColumn<Row>> columns() {
        List<ViewColumn<Row>> columns = new ArrayList<>();
        columns.add(time("IntervalEnd", Row::endMicros));
        columns.add(
                new ViewColumn<>("Rank", Primitive.UINT32, row -> Value.of(row.rank())));
        columns.add(text("QueryText", row -> row.text().text()));
        columns.add(number("Count", row -> row.text().figures().runs()));
        for (int index = 0; index < FIGURES.size(); index++) {
            String name = FIGURES.get(index);
            int at = index;
            Type type = index == 0 ? Primitive.INTERVAL : Primitive.UINT64;
            columns.add(
                    new ViewColumn<>(
                            "Sum" + name, type, row -> Value.of(row.text().figures().sum(at))));
            columns.add(
                    new ViewColumn<>(
                            "Min" + name, type, row -> Value.of(row.text().figures().least(at))));
            columns.add(
                    new ViewColumn<>(
                            "Max" + name, type, row -> Value.of(row.text().figures().most(at))));
        }
        return List.copyOf(columns);
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public List<Value[]> rows() {
        List<Value[]> rows = new ArrayList<>();
        for (QueryMetrics.Minute minute : metrics.minutes()) {
            long rank = 1;
            for (QueryMetrics.TextFigures text : minute.texts()) {
                rows.add(ViewColumn.row(COLUMNS, new Row(minute.endMicros(), rank++, text)));
            }
        }
        return rows;
    }
}
