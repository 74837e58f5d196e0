package io.cleave.query;

import io.cleave.cluster.Partitioner;
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
/// @param partitioner splits and merges tablets
public record BackgroundWork(
        Optional<IndexBuilds> indexBuilds,
        Optional<TtlRuns> ttlRuns,
        Optional<Partitioner> partitioner) {
    public static final BackgroundWork NONE =
            new BackgroundWork(Optional.empty(), Optional.empty(), Optional.empty());

    /// The followers of ASYNC indexes.
    List<IndexFollowers.Info> followers() {
        return indexBuilds.map(all -> all.followers().list()).orElse(List.of());
    }
}
