package io.cleave.schema;

import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One action of an ALTER TABLE. A statement may have several, which are applied all together or
/// not at all.
public sealed interface TableChange {
    record AddColumn(TableDefinition.NewColumn column) implements TableChange {}

    record DropColumn(String name) implements TableChange {}

    record DropNotNull(String name) implements TableChange {}

    /// Refuses writes of NULL from now on; the column becomes NOT NULL with [EndNotNull].
    record SetNotNull(String name) implements TableChange {}

    /// Ends the check of existing rows. If `holds`, no row has a NULL and the column becomes NOT
    /// NULL; otherwise it stays nullable.
    record EndNotNull(String name, boolean holds) implements TableChange {}

    /// The preset for future rows; empty removes it.
    record SetPreset(String name, Optional<Preset> preset) implements TableChange {}

    /// Replaces the sequence of a column.
    record SetSequence(String name, Sequence sequence) implements TableChange {}

    record SetColumnFamily(String name, String family) implements TableChange {}

    record AddFamily(FamilySettings family) implements TableChange {}

    record AlterFamily(FamilySettings family) implements TableChange {}

    /// Settings of a family. Empty options stay unchanged.
    record FamilySettings(
            String name,
            Optional<String> data,
            Optional<String> compression,
            Optional<String> cacheMode) {
        /// The family that results from these settings over `base`.
        public ColumnFamily over(ColumnFamily base) {
            return new ColumnFamily(
                    name,
                    data.orElse(base.data()),
                    compression.orElse(base.compression()),
                    cacheMode.orElse(base.cacheMode()));
        }
    }

    /// Empty options stay unchanged, except for the resets that YDB does when a policy is enabled.
    record SetPartitioning(
            Optional<Boolean> bySize,
            Optional<Long> sizeMegabytes,
            Optional<Boolean> byLoad,
            Optional<Long> minCount,
            Optional<Long> maxCount)
            implements TableChange {}

    record SetKeyBloomFilter(boolean enabled) implements TableChange {}

    record SetReadReplicas(ReadReplicas replicas) implements TableChange {}

    /// An empty balancer is that of the API which has made the table.
    record SetBalancer(Optional<Balancer> balancer) implements TableChange {}

    record SetTtl(Ttl ttl) implements TableChange {}

    record ResetTtl() implements TableChange {}

    /// An empty value removes the attribute.
    record SetAttributes(Map<String, String> attributes) implements TableChange {
        public SetAttributes {
            attributes = Map.copyOf(attributes);
        }
    }

    /// Adds an index in the given state: BUILDING if the table may have rows.
    record AddIndex(Index index) implements TableChange {}

    record DropIndex(String name) implements TableChange {}

    /// With `replace`, an index with the new name is replaced.
    record RenameIndex(String name, String toName, boolean replace) implements TableChange {}

    /// Changes settings of the index table.
    record AlterIndex(String name, TableChange change) implements TableChange {}

    record Rename(String toPath) implements TableChange {}

    /// Replaces what YTsaurus' API knows of the table.
    record SetYt(YtTable yt) implements TableChange {}

    /// Puts the columns into this order; the key keeps its own.
    record SetColumnOrder(List<String> names) implements TableChange {
        public SetColumnOrder {
            names = List.copyOf(names);
        }
    }
}
