package io.cleave.wire.scheme;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.value.Type;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.PartitioningSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads AlterTable requests.
public final class TableChanges {
    private TableChanges() {}

    /// `table` is asked for the types of the columns that change.
    public static List<TableChange> of(AlterTableRequest request, Supplier<Optional<Table>> table) {
        refuseWhatIsMissing(request);
        List<TableChange> changes = new ArrayList<>();
        request.getAddColumnsList()
                .forEach(c -> changes.add(new TableChange.AddColumn(TableParts.column(c))));
        request.getDropColumnsList().forEach(n -> changes.add(new TableChange.DropColumn(n)));
        request.getAlterColumnsList().forEach(c -> addColumnChanges(c, table, changes));
        request.getAddColumnFamiliesList()
                .forEach(f -> changes.add(new TableChange.AddFamily(TableParts.family(f))));
        request.getAlterColumnFamiliesList()
                .forEach(f -> changes.add(new TableChange.AlterFamily(TableParts.family(f))));
        if (request.hasAlterPartitioningSettings()) {
            changes.add(partitioning(request.getAlterPartitioningSettings()));
        }
        TableParts.flag(request.getSetKeyBloomFilter(), "key bloom filter")
                .ifPresent(on -> changes.add(new TableChange.SetKeyBloomFilter(on)));
        if (request.hasSetReadReplicasSettings()) {
            changes.add(
                    new TableChange.SetReadReplicas(
                            TableParts.replicas(request.getSetReadReplicasSettings())));
        }
        switch (request.getTtlActionCase()) {
            case SET_TTL_SETTINGS ->
                    changes.add(
                            new TableChange.SetTtl(TableParts.ttl(request.getSetTtlSettings())));
            case DROP_TTL_SETTINGS -> changes.add(new TableChange.ResetTtl());
            case TTLACTION_NOT_SET -> {}
        }
        List<TableChange> ofIndexes = TableIndexes.changes(request);
        if (!ofIndexes.isEmpty()) {
            if (!changes.isEmpty()) {
                throw new StatusException(Status.UNSUPPORTED, "Mixed alter is unsupported");
            }
            changes.addAll(ofIndexes);
        }
        if (request.getAlterAttributesCount() > 0) {
            if (!changes.isEmpty()) {
                throw new StatusException(Status.UNSUPPORTED, "Mixed alter is unsupported");
            }
            changes.add(new TableChange.SetAttributes(request.getAlterAttributesMap()));
        }
        boolean saysWhatIsSoAnyway =
                request.hasAlterStorageSettings() || !request.getSetCompactionPolicy().isEmpty();
        // Only after the checks above, whose messages are more specific.
        RequestFields.check(request);
        if (changes.isEmpty() && !saysWhatIsSoAnyway) {
            throw RequestParts.bad("Empty alter");
        }
        return changes;
    }

    private static void refuseWhatIsMissing(AlterTableRequest request) {
        if (request.getAddChangefeedsCount() + request.getDropChangefeedsCount() > 0) {
            throw RequestParts.unsupported("Changefeed");
        }
        if (request.hasSetTiering() || request.hasDropTiering()) {
            throw RequestParts.unsupported("Tiering");
        }
        StorageRequests.check(request.getAlterStorageSettings());
        TablePresets.checkCompaction(request.getSetCompactionPolicy());
    }

    private static void addColumnChanges(
            ColumnMeta column, Supplier<Optional<Table>> table, List<TableChange> changes) {
        int before = changes.size();
        if (column.hasType()) {
            refuseOtherType(column, table.get());
        }
        if (!column.getFamily().isEmpty()) {
            changes.add(new TableChange.SetColumnFamily(column.getName(), column.getFamily()));
        }
        if (column.hasNotNull()) {
            changes.add(
                    column.getNotNull()
                            ? new TableChange.SetNotNull(column.getName())
                            : new TableChange.DropNotNull(column.getName()));
        }
        switch (column.getDefaultValueCase()) {
            case FROM_LITERAL -> changes.add(preset(column, table.get()));
            case FROM_SEQUENCE ->
                    throw RequestParts.unsupported(
                            "A sequence as the default of column '" + column.getName() + "'");
            case DEFAULTVALUE_NOT_SET -> {}
        }
        if (changes.size() == before) {
            throw RequestParts.bad("Nothing to alter in column '" + column.getName() + "'");
        }
    }

    /// Clients send a column's type along with a change, so the type must be the one that the
    /// column has.
    private static void refuseOtherType(ColumnMeta column, Optional<Table> table) {
        Type wanted = ProtoTypes.fromProto(column.getType()).unwrapped();
        table.flatMap(known -> type(known, column.getName()))
                .filter(type -> !type.equals(wanted))
                .ifPresent(
                        type -> {
                            throw RequestParts.bad(
                                    "Cannot alter type for column '%s': it is %s, not %s"
                                            .formatted(
                                                    column.getName(), type.text(), wanted.text()));
                        });
    }

    /// Empty if there is no such column; applying the change reports that.
    private static Optional<Type> type(Table table, String column) {
        int index = table.indexOf(column);
        return index < 0 ? Optional.empty() : Optional.of(table.columns().get(index).type());
    }

    private static TableChange preset(ColumnMeta column, Optional<Table> table) {
        if (table.isEmpty()) {
            // Applying the change reports that there is no such table.
            return new TableChange.SetPreset(column.getName(), Optional.empty());
        }
        Type type =
                type(table.get(), column.getName())
                        .orElseThrow(
                                () ->
                                        RequestParts.bad(
                                                "Unknown column '" + column.getName() + "'"));
        return new TableChange.SetPreset(column.getName(), TableParts.preset(column, type));
    }

    private static TableChange partitioning(PartitioningSettings sent) {
        TableParts.check(sent);
        return new TableChange.SetPartitioning(
                TableParts.flag(sent.getPartitioningBySize(), "auto partitioning by size"),
                TableParts.count(sent.getPartitionSizeMb(), "Partition size"),
                TableParts.flag(sent.getPartitioningByLoad(), "auto partitioning by load"),
                TableParts.count(sent.getMinPartitionsCount(), "Min partitions count"),
                TableParts.count(sent.getMaxPartitionsCount(), "Max partitions count"));
    }
}
