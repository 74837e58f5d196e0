package io.cleave.yt.table;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AlterFamily;
import io.cleave.schema.TableChange.FamilySettings;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The column families of a table: one for each column group, and the default one. Pure.
///
/// A table that is kept in memory takes memory only while it is mounted: see [InMemoryTables].
final class TableFamilies {
    private TableFamilies() {}

    /// The families of a table that is not mounted yet.
    static List<ColumnFamily> of(YtSchema schema, YtSettings settings) {
        return names(schema).stream()
                .map(name -> family(name, settings, ColumnFamily.REGULAR))
                .toList();
    }

    static Set<String> names(YtSchema schema) {
        Set<String> names = new LinkedHashSet<>();
        names.add(Column.DEFAULT_FAMILY);
        schema.columns().forEach(column -> names.add(TableSchemas.family(column)));
        return names;
    }

    static ColumnFamily family(String name, YtSettings settings, String cacheMode) {
        return new ColumnFamily(
                name,
                settings.medium(),
                settings.isCompressed() ? ColumnFamily.LZ4 : ColumnFamily.UNCOMPRESSED,
                cacheMode);
    }

    /// The cache mode of a mounted table.
    static String cacheMode(YtSettings settings) {
        return switch (settings.inMemoryMode()) {
            case "compressed" -> ColumnFamily.IN_MEMORY_COMPRESSED;
            case "uncompressed" -> ColumnFamily.IN_MEMORY;
            default -> ColumnFamily.REGULAR;
        };
    }

    /// The changes that give the families of the table the medium and the compression of its
    /// settings. A table that was created by YQL keeps its own until one of these two settings is
    /// set.
    static List<TableChange> changes(Table table, YtSettings settings) {
        List<TableChange> changes = new ArrayList<>();
        if (!settings.decideStorage()) {
            return changes;
        }
        for (ColumnFamily family : table.families()) {
            ColumnFamily wanted = family(family.name(), settings, family.cacheMode());
            if (!wanted.equals(family)) {
                changes.add(new AlterFamily(settings(wanted)));
            }
        }
        return changes;
    }

    static List<TableChange> cacheModes(Table table, String cacheMode) {
        List<TableChange> changes = new ArrayList<>();
        for (ColumnFamily family : table.families()) {
            if (!family.cacheMode().equals(cacheMode)) {
                changes.add(
                        new AlterFamily(
                                new FamilySettings(
                                        family.name(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.of(cacheMode))));
            }
        }
        return changes;
    }

    static FamilySettings settings(ColumnFamily family) {
        return new FamilySettings(
                family.name(),
                Optional.of(family.data()),
                Optional.of(family.compression()),
                Optional.of(family.cacheMode()));
    }
}
