package io.cleave.query.view;

import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.cleave.query.metric.QueryMetrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The system views about queries, sessions and their memory.
public record QueryViews(Env env, int nodeId, String database) {
    public List<SystemView> all(
            QueryMetrics metrics,
            Supplier<List<SessionInfo>> sessions,
            Supplier<List<MemoryPool.Figures>> pools,
            Supplier<List<CachedPlan>> plans) {
        String directory = database + "/" + SystemViews.DIRECTORY;
        List<SystemView> all = new ArrayList<>(TopQueriesView.all(env, directory, metrics));
        all.add(new QueryMetricsView(directory, metrics));
        all.add(QuerySessionsView.of(directory, nodeId, sessions));
        all.add(MemoryPoolsView.of(directory, nodeId, pools));
        all.add(CompileCacheView.of(directory, nodeId, plans));
        return all;
    }
}
