package io.cleave.query;

import io.cleave.control.TabletBalancer;
import io.cleave.index.IndexBuilds;
import io.cleave.index.IndexFollowers;
import io.cleave.ttl.TtlRuns;

import java.util.List;
import java.util.Optional;

/// What works on the stored tables beside the queries. A database inside a test may lack parts of
/// it.
///
/// @param indexBuilds build indexes, and keep ASYNC indexes up to date
/// @param ttlRuns erase expired rows
/// @param balancer splits, merges and moves tablets
public record BackgroundWork(
        Optional<IndexBuilds> indexBuilds,
        Optional<TtlRuns> ttlRuns,
        Optional<TabletBalancer> balancer) {
    public static final BackgroundWork NONE =
            new BackgroundWork(Optional.empty(), Optional.empty(), Optional.empty());

    /// The followers of ASYNC indexes.
    List<IndexFollowers.Info> followers() {
        return indexBuilds.map(all -> all.followers().list()).orElse(List.of());
    }
}
