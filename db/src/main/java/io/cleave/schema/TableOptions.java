package io.cleave.schema;

import java.util.Optional;

/// The options of a table, from WITH (…) and ALTER TABLE SET. Empty means not set.
public record TableOptions(
        Partitioning partitioning,
        Optional<Boolean> keyBloomFilter,
        Optional<ReadReplicas> readReplicas,
        Optional<Ttl> ttl) {
    public static final TableOptions DEFAULT =
            new TableOptions(
                    Partitioning.DEFAULT, Optional.empty(), Optional.empty(), Optional.empty());

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
        return new TableOptions(changed, keyBloomFilter, readReplicas, ttl);
    }
}
