package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.query.metric.QueryFigures;
import io.cleave.query.metric.QueryMetrics;
import io.cleave.schema.Table;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The system view `.sys/query_metrics_one_minute`: the costs of the runs of each text in a minute.
final class QueryMetricsView implements SmallView {
    private static final String NAME = "query_metrics_one_minute";
    private static final long TABLE_ID = -41;

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
        columns.add(new ViewColumn<>("Rank", Primitive.UINT32, row -> Value.of(row.rank())));
        columns.add(text("QueryText", row -> row.text().text()));
        columns.add(number("Count", row -> row.text().figures().runs()));
        add(columns, "Duration", Primitive.INTERVAL, QueryFigures::duration);
        add(columns, "CPUTime", Primitive.UINT64, QueryFigures::work);
        add(columns, "ReadRows", Primitive.UINT64, QueryFigures::readRows);
        add(columns, "ReadBytes", Primitive.UINT64, QueryFigures::readBytes);
        add(columns, "UpdateRows", Primitive.UINT64, QueryFigures::updatedRows);
        add(columns, "UpdateBytes", Primitive.UINT64, QueryFigures::updatedBytes);
        add(columns, "DeleteRows", Primitive.UINT64, QueryFigures::erasedRows);
        return List.copyOf(columns);
    }

    private static void add(
            List<ViewColumn<Row>> columns,
            String name,
            Primitive type,
            Function<QueryFigures, QueryFigures.Figure> figure) {
        columns.add(column("Sum" + name, type, figure, QueryFigures.Figure::sum));
        columns.add(column("Min" + name, type, figure, QueryFigures.Figure::least));
        columns.add(column("Max" + name, type, figure, QueryFigures.Figure::most));
    }

    private static ViewColumn<Row> column(
            String name,
            Primitive type,
            Function<QueryFigures, QueryFigures.Figure> figure,
            ToLongFunction<QueryFigures.Figure> of) {
        return new ViewColumn<>(
                name, type, row -> Value.of(of.applyAsLong(figure.apply(row.text().figures()))));
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
