package io.cleave.yt.table.query;

import io.cleave.base.Bytes;
import io.cleave.query.Compiled;
import io.cleave.query.ReadLimit;
import io.cleave.query.RunSummary;
import io.cleave.query.metric.TableAccess;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a query has read and how long it took, with YTsaurus' names. Times are in milliseconds.
/// Clients also expect the figures of all nodes, in maps whose names end in `_aggr`. They are the
/// same as the figures of the one node.
///
/// @param summary empty if the query was ended because it had returned enough rows
record SelectStatistics(
        Optional<RunSummary> summary,
        Compiled compiled,
        ReadLimit read,
        long rowsWritten,
        boolean incompleteOutput) {
    void answer(CommandCall call) {
        SequencedMap<Bytes, YsonNode> figures = new LinkedHashMap<>();
        // The limit does not count a read of a single row.
        long rowsFound = 0;
        long bytesRead = 0;
        for (TableAccess access : summary.map(RunSummary::accesses).orElse(List.of())) {
            rowsFound += access.readRows();
            bytesRead += access.readBytes();
        }
        double executeMillis = summary.map(run -> run.micros() / 1e3).orElse(0.0);
        add(figures, "rows_read", Math.max(rowsFound, read.rows()));
        add(figures, "data_weight_read", bytesRead);
        add(figures, "rows_written", rowsWritten);
        add(figures, "sync_time", executeMillis);
        add(figures, "async_time", 0.0);
        add(figures, "execute_time", executeMillis);
        add(figures, "read_time", 0.0);
        add(figures, "write_time", 0.0);
        add(figures, "codegen_time", compiled.fromCache() ? 0.0 : compiled.micros() / 1e3);
        add(figures, "wait_on_ready_event_time", 0.0);
        add(figures, "memory_usage", 0);
        add(figures, "grouped_row_count", 0);
        figures.put(Bytes.utf8("incomplete_input"), new YsonNode.Bool(read.isExceeded()));
        figures.put(Bytes.utf8("incomplete_output"), new YsonNode.Bool(incompleteOutput));
        figures.put(Bytes.utf8("query_count"), new YsonNode.Int64(1));
        figures.forEach((name, value) -> call.responseParameter(name.utf8(), value));
    }

    private static void add(SequencedMap<Bytes, YsonNode> figures, String name, long value) {
        add(figures, name, new YsonNode.Int64(value));
    }

    private static void add(SequencedMap<Bytes, YsonNode> figures, String name, double millis) {
        add(figures, name, new YsonNode.Real(millis));
    }

    private static void add(SequencedMap<Bytes, YsonNode> figures, String name, YsonNode value) {
        figures.put(Bytes.utf8(name), value);
        SequencedMap<Bytes, YsonNode> all = new LinkedHashMap<>();
        all.put(Bytes.utf8("total"), value);
        all.put(Bytes.utf8("max"), value);
        all.put(Bytes.utf8("argmax_node"), new YsonNode.Text(Bytes.utf8("localhost")));
        figures.put(Bytes.utf8(name + "_aggr"), new YsonNode.Members(all));
    }
}
