package io.cleave.schema;

import io.cleave.schema.TableOptions.ReadReplicas;
import io.cleave.schema.TableOptions.Ttl;

import java.util.Map;
import java.util.Optional;

/// One thing an ALTER TABLE asks for; a statement may ask for several, done together or not at all.
public sealed interface TableChange {
    record AddColumn(TableDefinition.NewColumn column) implements TableChange {}

    record DropColumn(String name) implements TableChange {}

    record DropNotNull(String name) implements TableChange {}

    /// From now on nobody writes a NULL; the column is NOT NULL when [EndNotNull] says so.
    record SetNotNull(String name) implements TableChange {}

    /// Whether rows without a NULL were found is known: the column is NOT NULL, or as it was.
    record EndNotNull(String name, boolean holds) implements TableChange {}

    /// The preset of rows to come; none takes it away.
    record SetPreset(String name, Optional<Preset> preset) implements TableChange {}

    /// The numbers of a column's sequence.
    record SetSequence(String name, Sequence sequence) implements TableChange {}

    record SetColumnFamily(String name, String family) implements TableChange {}

    record AddFamily(FamilySettings family) implements TableChange {}

    record AlterFamily(FamilySettings family) implements TableChange {}

    /// What is said of a family. What is empty stays as it is.
    record FamilySettings(
            String name,
            Optional<String> data,
            Optional<String> compression,
            Optional<String> cacheMode) {
        /// The family that comes of it where `base` stood.
        public ColumnFamily over(ColumnFamily base) {
            return new ColumnFamily(
                    name,
                    data.orElse(base.data()),
                    compression.orElse(base.compression()),
                    cacheMode.orElse(base.cacheMode()));
        }
    }

    /// What is empty stays as it is, but for the resets that YDB does when a policy is enabled.
    record SetPartitioning(
            Optional<Boolean> bySize,
            Optional<Long> sizeMegabytes,
            Optional<Boolean> byLoad,
            Optional<Long> minCount,
            Optional<Long> maxCount)
            implements TableChange {}

    record SetKeyBloomFilter(boolean enabled) implements TableChange {}

    record SetReadReplicas(ReadReplicas replicas) implements TableChange {}

    record SetTtl(Ttl ttl) implements TableChange {}

    record ResetTtl() implements TableChange {}

    /// An empty value removes the attribute.
    record SetAttributes(Map<String, String> attributes) implements TableChange {
        public SetAttributes {
            attributes = Map.copyOf(attributes);
        }
    }

    /// The index begins in its own state: BUILDING on a table that may have rows.
    record AddIndex(Index index) implements TableChange {}

    record DropIndex(String name) implements TableChange {}

    /// With `replace`, over an index of that name.
    record RenameIndex(String name, String toName, boolean replace) implements TableChange {}

    /// Settings of the index's table.
    record AlterIndex(String name, TableChange change) implements TableChange {}

    record Rename(String toPath) implements TableChange {}
}
