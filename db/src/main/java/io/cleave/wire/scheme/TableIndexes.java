package io.cleave.wire.scheme;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Index;
import io.cleave.schema.TableChange;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.GlobalAsyncIndex;
import tech.ydb.proto.table.YdbTable.GlobalIndex;
import tech.ydb.proto.table.YdbTable.GlobalUniqueIndex;
import tech.ydb.proto.table.YdbTable.RenameIndexItem;
import tech.ydb.proto.table.YdbTable.TableIndex;
import tech.ydb.proto.table.YdbTable.TableIndexDescription;

import java.util.ArrayList;
import java.util.List;

/// Reads and writes indexes. The messages for requests and for descriptions number the same fields
/// differently.
public final class TableIndexes {
    private TableIndexes() {}

    static Index index(TableIndex sent, Index.State state) {
        return new Index(
                sent.getName(),
                switch (sent.getTypeCase()) {
                    case GLOBAL_INDEX, TYPE_NOT_SET -> Index.Kind.SYNC;
                    case GLOBAL_ASYNC_INDEX -> Index.Kind.ASYNC;
                    case GLOBAL_UNIQUE_INDEX -> Index.Kind.UNIQUE;
                    default ->
                            throw RequestParts.unsupported(
                                    "Index '%s' of type %s"
                                            .formatted(sent.getName(), sent.getTypeCase()));
                },
                sent.getIndexColumnsList(),
                sent.getDataColumnsList(),
                state);
    }

    /// At most one index change in a request, and no other changes beside it.
    static List<TableChange> changes(AlterTableRequest request) {
        refuseMore(request.getAddIndexesCount(), "added");
        refuseMore(request.getDropIndexesCount(), "dropped");
        refuseMore(request.getRenameIndexesCount(), "renamed");
        List<TableChange> changes = new ArrayList<>();
        request.getAddIndexesList()
                .forEach(
                        index ->
                                changes.add(
                                        new TableChange.AddIndex(
                                                index(index, Index.State.BUILDING))));
        request.getDropIndexesList().forEach(name -> changes.add(new TableChange.DropIndex(name)));
        for (RenameIndexItem item : request.getRenameIndexesList()) {
            changes.add(
                    new TableChange.RenameIndex(
                            item.getSourceName(),
                            item.getDestinationName(),
                            item.getReplaceDestination()));
        }
        if (changes.size() > 1) {
            throw new StatusException(Status.UNSUPPORTED, "Mixed alter is unsupported");
        }
        return changes;
    }

    private static void refuseMore(int count, String done) {
        if (count > 1) {
            throw new StatusException(
                    Status.UNSUPPORTED, "Only one index can be " + done + " by one operation");
        }
    }

    public static TableIndexDescription describe(Index index, long bytes) {
        var proto =
                TableIndexDescription.newBuilder()
                        .setName(index.name())
                        .addAllIndexColumns(index.columns())
                        .addAllDataColumns(index.cover())
                        .setSizeBytes(bytes)
                        .setStatus(
                                switch (index.state()) {
                                    case READY -> TableIndexDescription.Status.STATUS_READY;
                                    case BUILDING -> TableIndexDescription.Status.STATUS_BUILDING;
                                });
        switch (index.kind()) {
            case SYNC -> proto.setGlobalIndex(GlobalIndex.getDefaultInstance());
            case ASYNC -> proto.setGlobalAsyncIndex(GlobalAsyncIndex.getDefaultInstance());
            case UNIQUE -> proto.setGlobalUniqueIndex(GlobalUniqueIndex.getDefaultInstance());
        }
        return proto.build();
    }

    /// The index definition as a request would send it.
    public static TableIndex request(Index index) {
        var proto =
                TableIndex.newBuilder()
                        .setName(index.name())
                        .addAllIndexColumns(index.columns())
                        .addAllDataColumns(index.cover());
        switch (index.kind()) {
            case SYNC -> proto.setGlobalIndex(GlobalIndex.getDefaultInstance());
            case ASYNC -> proto.setGlobalAsyncIndex(GlobalAsyncIndex.getDefaultInstance());
            case UNIQUE -> proto.setGlobalUniqueIndex(GlobalUniqueIndex.getDefaultInstance());
        }
        return proto.build();
    }
}
