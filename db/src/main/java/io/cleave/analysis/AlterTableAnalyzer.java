package io.cleave.analysis;

import io.cleave.analysis.SettingsClause.Place;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.typed.TypedStatement;
import io.cleave.yql.Expression;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.ColumnAt;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// ALTER TABLE: converts each action to changes of the catalog.
final class AlterTableAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    AlterTableAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement analyze(Statement.AlterTable alter) {
        var sources = new SourceAnalyzer(context, bindings);
        String path = sources.path(alter.table());
        Table table = context.table(alter.table().at(), path);
        List<TableChange> changes = new ArrayList<>();
        for (Statement.TableChange change : alter.changes()) {
            switch (change) {
                case Statement.TableChange.AddColumn(var column) -> {
                    if (column.generated().isPresent()) {
                        throw AnalysisContext.unsupported(
                                column.at(), "ADD COLUMN of a generated column");
                    }
                    changes.add(
                            new TableChange.AddColumn(
                                    ColumnDefinitions.column(column, context, bindings)));
                }
                case Statement.TableChange.DropColumn(ColumnAt column) ->
                        changes.add(new TableChange.DropColumn(column.name()));
                case Statement.TableChange.SetSettings(var settings) ->
                        set(
                                alter.at(),
                                changes,
                                SettingsClause.read(settings, Place.ALTER, context));
                case Statement.TableChange.ResetSettings(List<ColumnAt> names) ->
                        names.forEach(name -> changes.add(reset(name)));
                case Statement.TableChange.SetFamily(ColumnAt column, String family) ->
                        changes.add(new TableChange.SetColumnFamily(column.name(), family));
                case Statement.TableChange.DropNotNull(ColumnAt column) ->
                        changes.add(new TableChange.DropNotNull(column.name()));
                case Statement.TableChange.SetNotNull(ColumnAt column) ->
                        changes.add(new TableChange.SetNotNull(column.name()));
                case Statement.TableChange.SetDefault(ColumnAt column, var preset) ->
                        changes.add(setDefault(table, column, preset));
                case Statement.TableChange.DropDefault(ColumnAt column) ->
                        changes.add(new TableChange.SetPreset(column.name(), Optional.empty()));
                case Statement.TableChange.AddFamily(var family) ->
                        changes.add(new TableChange.AddFamily(ColumnDefinitions.family(family)));
                case Statement.TableChange.AlterFamily(var family) ->
                        changes.add(new TableChange.AlterFamily(ColumnDefinitions.family(family)));
                case Statement.TableChange.AddIndex(var index) -> {
                    refuseSecond(alter, changes, TableChange.AddIndex.class, index.at(), "added");
                    changes.add(
                            new TableChange.AddIndex(
                                    IndexDefinitions.index(index, Index.State.BUILDING)));
                }
                case Statement.TableChange.DropIndex(ColumnAt index) -> {
                    refuseSecond(
                            alter, changes, TableChange.DropIndex.class, index.at(), "dropped");
                    changes.add(new TableChange.DropIndex(index.name()));
                }
                case Statement.TableChange.RenameIndex(ColumnAt index, String to) -> {
                    if (alter.changes().size() > 1) {
                        throw AnalysisContext.error(
                                index.at(),
                                "RENAME INDEX TO can not be used together with another table"
                                        + " action");
                    }
                    changes.add(new TableChange.RenameIndex(index.name(), to, false));
                }
                case Statement.TableChange.AlterIndex(ColumnAt index, var settings) ->
                        setOfIndex(alter.at(), index, settings, changes);
                case Statement.TableChange.ResetIndex(_, List<ColumnAt> names) ->
                        throw AnalysisContext.error(
                                names.getFirst().at(),
                                names.getFirst().name().toUpperCase(Locale.ROOT)
                                        + " reset is not supported");
                case Statement.TableChange.RenameTable(var to) ->
                        changes.add(new TableChange.Rename(sources.path(to)));
            }
        }
        return new TypedStatement.AlterTable(path, changes);
    }

    private static void refuseSecond(
            Statement.AlterTable alter,
            List<TableChange> changes,
            Class<? extends TableChange> kind,
            Position at,
            String done) {
        if (changes.stream().anyMatch(kind::isInstance)) {
            throw new StatusException(
                    Status.UNSUPPORTED,
                    "Only one index can be " + done + " by one operation: " + alter.table().text(),
                    at);
        }
    }

    /// Only the settings of tablets and read replicas can be changed on the table of an index.
    private void setOfIndex(
            Position at,
            ColumnAt index,
            List<Statement.Setting> settings,
            List<TableChange> changes) {
        List<TableChange> ofTable = new ArrayList<>();
        set(at, ofTable, SettingsClause.read(settings, Place.ALTER, context));
        for (TableChange change : ofTable) {
            if (!(change instanceof TableChange.SetPartitioning
                    || change instanceof TableChange.SetReadReplicas)) {
                throw AnalysisContext.error(
                        settings.getFirst().at(),
                        "Only partitioning and read replicas settings of index '"
                                + index.name()
                                + "' can be altered");
            }
            changes.add(new TableChange.AlterIndex(index.name(), change));
        }
    }

    private TableChange setDefault(Table table, ColumnAt name, Expression preset) {
        int index = table.indexOf(name.name());
        if (index < 0) {
            throw AnalysisContext.error(
                    name.at(),
                    "AlterTable : %s Column: \"%s\" does not exist"
                            .formatted(table.path(), name.name()));
        }
        Column column = table.columns().get(index);
        return new TableChange.SetPreset(
                column.name(),
                ColumnDefinitions.preset(
                        column.name(), column.type(), column.notNull(), preset, context, bindings));
    }

    private static void set(Position at, List<TableChange> changes, SettingsClause settings) {
        boolean partitions =
                settings.bySize().isPresent()
                        || settings.sizeMegabytes().isPresent()
                        || settings.byLoad().isPresent()
                        || settings.minCount().isPresent()
                        || settings.maxCount().isPresent();
        if (settings.sizeMegabytes().isPresent() && !settings.bySize().orElse(true)) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Auto partitioning partition size is set while auto partitioning by size is"
                            + " disabled",
                    at);
        }
        if (partitions) {
            changes.add(
                    new TableChange.SetPartitioning(
                            settings.bySize(),
                            settings.sizeMegabytes(),
                            settings.byLoad(),
                            settings.minCount(),
                            settings.maxCount()));
        }
        settings.keyBloomFilter()
                .ifPresent(enabled -> changes.add(new TableChange.SetKeyBloomFilter(enabled)));
        settings.readReplicas()
                .ifPresent(replicas -> changes.add(new TableChange.SetReadReplicas(replicas)));
        settings.ttl().ifPresent(ttl -> changes.add(new TableChange.SetTtl(ttl)));
        settings.balancer()
                .ifPresent(set -> changes.add(new TableChange.SetBalancer(Optional.of(set))));
    }

    private static TableChange reset(ColumnAt name) {
        String upper = name.name().toUpperCase(Locale.ROOT);
        return switch (upper) {
            case "TTL" -> new TableChange.ResetTtl();
            case "BALANCER" -> new TableChange.SetBalancer(Optional.empty());
            case "AUTO_PARTITIONING_BY_SIZE",
                    "AUTO_PARTITIONING_PARTITION_SIZE_MB",
                    "AUTO_PARTITIONING_BY_LOAD",
                    "AUTO_PARTITIONING_MIN_PARTITIONS_COUNT",
                    "AUTO_PARTITIONING_MAX_PARTITIONS_COUNT",
                    "UNIFORM_PARTITIONS",
                    "PARTITION_AT_KEYS",
                    "KEY_BLOOM_FILTER",
                    "READ_REPLICAS_SETTINGS",
                    "STORE",
                    "COMPACTION_POLICY" ->
                    throw AnalysisContext.error(name.at(), upper + " reset is not supported");
            default ->
                    throw AnalysisContext.error(name.at(), "Unknown table setting: " + name.name());
        };
    }
}
