package io.cleave.schema;

import java.util.Optional;

/// The options of a table, from WITH (…), ALTER TABLE SET and YTsaurus' API. Empty means not set.
///
/// @param balancer if it is not set, [Table#balancer] says which one the table has
public record TableOptions(
        Partitioning partitioning,
        Optional<Boolean> keyBloomFilter,
        Optional<ReadReplicas> readReplicas,
        Optional<Ttl> ttl,
        Optional<YtTable> yt,
        Optional<Balancer> balancer) {
    public static final TableOptions DEFAULT =
            new TableOptions(
                    Partitioning.DEFAULT, Optional.empty(), Optional.empty(), Optional.empty());

    /// The options of a table that YTsaurus' API has not touched.
    public TableOptions(
            Partitioning partitioning,
            Optional<Boolean> keyBloomFilter,
            Optional<ReadReplicas> readReplicas,
            Optional<Ttl> ttl) {
        this(partitioning, keyBloomFilter, readReplicas, ttl, Optional.empty(), Optional.empty());
    }

    public enum Placement {
        PER_AZ,
        ANY_AZ
    }

    public record ReadReplicas(Placement placement, int count) {}

    /// The time unit of a numeric TTL column; `DATE` for date types, whose unit is known.
    public enum TtlUnit {
        DATE,
        SECONDS,
        MILLISECONDS,
        MICROSECONDS,
        NANOSECONDS
    }

    /// A row expires when the time in its column plus `expireAfterSeconds` has passed.
    public record Ttl(
            String column, TtlUnit unit, long expireAfterSeconds, long runIntervalSeconds) {}

    public TableOptions with(Partitioning changed) {
        return new TableOptions(changed, keyBloomFilter, readReplicas, ttl, yt, balancer);
    }

    public TableOptions with(YtTable changed) {
        return new TableOptions(
                partitioning, keyBloomFilter, readReplicas, ttl, Optional.of(changed), balancer);
    }

    public TableOptions withBalancer(Optional<Balancer> changed) {
        return new TableOptions(partitioning, keyBloomFilter, readReplicas, ttl, yt, changed);
    }

    TableOptions withKeyBloomFilter(boolean enabled) {
        return new TableOptions(
                partitioning, Optional.of(enabled), readReplicas, ttl, yt, balancer);
    }

    TableOptions withReadReplicas(Optional<ReadReplicas> changed) {
        return new TableOptions(partitioning, keyBloomFilter, changed, ttl, yt, balancer);
    }

    TableOptions withTtl(Optional<Ttl> changed) {
        return new TableOptions(partitioning, keyBloomFilter, readReplicas, changed, yt, balancer);
    }
}
