package io.cleave.schema;

import java.util.Optional;

/// What WITH (…) and ALTER TABLE SET say of a table. Empty means that nothing was said.
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

    /// How a TTL column's numbers count time; `DATE` for the date types, which say it themselves.
    public enum TtlUnit {
        DATE,
        SECONDS,
        MILLISECONDS,
        MICROSECONDS,
        NANOSECONDS
    }

    /// A row expires when its column's time plus `expireAfterSeconds` has passed.
    public record Ttl(
            String column, TtlUnit unit, long expireAfterSeconds, long runIntervalSeconds) {}

    public TableOptions with(Partitioning changed) {
        return new TableOptions(changed, keyBloomFilter, readReplicas, ttl);
    }
}
