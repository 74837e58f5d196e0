package io.cleave.wire;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.PathEntry;
import io.cleave.cluster.Scheme;
import io.cleave.cluster.Scheme.Renaming;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Database;
import io.cleave.query.Session;
import io.cleave.query.SessionNames;
import io.cleave.schema.Index;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.SchemeChange.Copy;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.scheme.SchemeEntries;
import io.cleave.wire.scheme.TableChanges;
import io.cleave.wire.scheme.TableDefinitions;
import io.cleave.wire.scheme.TableDescriptions;
import io.cleave.wire.scheme.TableIndexes;
import io.cleave.wire.scheme.TablePresets;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.AlterTableResponse;
import tech.ydb.proto.table.YdbTable.CopyTableItem;
import tech.ydb.proto.table.YdbTable.CopyTableRequest;
import tech.ydb.proto.table.YdbTable.CopyTableResponse;
import tech.ydb.proto.table.YdbTable.CopyTablesRequest;
import tech.ydb.proto.table.YdbTable.CopyTablesResponse;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.CreateTableResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.DropTableRequest;
import tech.ydb.proto.table.YdbTable.DropTableResponse;
import tech.ydb.proto.table.YdbTable.RenameTableItem;
import tech.ydb.proto.table.YdbTable.RenameTablesRequest;
import tech.ydb.proto.table.YdbTable.RenameTablesResponse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The calls of TableService that create, change and describe tables.
final class TableSchemes {
    /// Field number of DescribeTableRequest.include_set_val; on the wire. The generated protocol
    /// classes do not have this field yet.
    static final int INCLUDE_SET_VAL = 8;

    private final Database database;
    private final Requests requests;

    TableSchemes(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    void create(CreateTableRequest request, StreamObserver<CreateTableResponse> replies) {
        requests.apart(
                replies,
                operation -> CreateTableResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    checkSession(caller, request.getSessionId());
                    String path = path(request.getPath());
                    TableDefinition table = TableDefinitions.of(request, path);
                    // The call succeeds if the table exists already, as in YDB.
                    boolean made =
                            request.getTemporary()
                                    ? names(caller, request.getSessionId())
                                            .createTemporary(table, true)
                                    : caller.tree().createTable(table, true);
                    if (made) {
                        return Done.NOTHING;
                    }
                    return alreadyThere(path);
                });
    }

    private static Done alreadyThere(String path) {
        return Done.saying(
                List.of(
                        Issue.info(
                                "Check failed: path: '%s', error: path exist, request accepts it"
                                        .formatted(path))));
    }

    void drop(DropTableRequest request, StreamObserver<DropTableResponse> replies) {
        requests.apart(
                replies,
                operation -> DropTableResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    String path = path(request.getPath());
                    if (request.getSessionId().isEmpty()) {
                        caller.tree().dropTable(path, false);
                    } else {
                        names(caller, request.getSessionId()).dropTable(path, false);
                    }
                    return Done.NOTHING;
                });
    }

    void alter(AlterTableRequest request, StreamObserver<AlterTableResponse> replies) {
        requests.apart(
                replies,
                operation -> AlterTableResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    String path = path(request.getPath());
                    if (request.getSessionId().isEmpty()) {
                        caller.tree()
                                .alterTable(
                                        path,
                                        TableChanges.of(request, () -> caller.tree().find(path)));
                    } else {
                        SessionNames names = names(caller, request.getSessionId());
                        names.alterTable(
                                path,
                                TableChanges.of(
                                        request,
                                        () ->
                                                names.temporary(path)
                                                        .or(() -> caller.tree().find(path))));
                    }
                    return Done.NOTHING;
                });
    }

    void rename(RenameTablesRequest request, StreamObserver<RenameTablesResponse> replies) {
        requests.apart(
                replies,
                operation -> RenameTablesResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    checkSession(caller, request.getSessionId());
                    List<Renaming> renamings = new ArrayList<>();
                    for (RenameTableItem item : request.getTablesList()) {
                        renamings.add(
                                new Renaming(
                                        path(item.getSourcePath()),
                                        path(item.getDestinationPath()),
                                        item.getReplaceDestination()));
                    }
                    if (renamings.isEmpty()) {
                        throw RequestParts.bad("No tables to rename");
                    }
                    caller.tree().renameTables(renamings);
                    return Done.NOTHING;
                });
    }

    void copy(CopyTableRequest request, StreamObserver<CopyTableResponse> replies) {
        requests.apart(
                replies,
                operation -> CopyTableResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    checkSession(caller, request.getSessionId());
                    String destination = path(request.getDestinationPath());
                    if (caller.tree().find(destination).isPresent()) {
                        // In YDB, too, CopyTable is a CreateTable and accepts an existing table;
                        // CopyTables does not.
                        return alreadyThere(destination);
                    }
                    return copy(
                            caller.tree(),
                            List.of(new Copy(path(request.getSourcePath()), destination, false)));
                });
    }

    void copyAll(CopyTablesRequest request, StreamObserver<CopyTablesResponse> replies) {
        requests.apart(
                replies,
                operation -> CopyTablesResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    checkSession(caller, request.getSessionId());
                    List<Copy> copies = new ArrayList<>();
                    for (CopyTableItem item : request.getTablesList()) {
                        copies.add(
                                new Copy(
                                        path(item.getSourcePath()),
                                        path(item.getDestinationPath()),
                                        item.getOmitIndexes()));
                    }
                    return copy(caller.tree(), copies);
                });
    }

    private static Done copy(Scheme tree, List<Copy> copies) {
        tree.change(new SchemeChange.CopyTables(copies));
        return Done.NOTHING;
    }

    void describe(DescribeTableRequest request, StreamObserver<DescribeTableResponse> replies) {
        requests.apart(
                replies,
                operation -> DescribeTableResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    checkSession(caller, request.getSessionId());
                    return Done.of(describe(caller, path(request.getPath()), request));
                });
    }

    private DescribeTableResult describe(
            CallerDatabase caller, String path, DescribeTableRequest request) {
        Scheme tree = caller.tree();
        Optional<Table> temporary =
                request.getSessionId().isEmpty()
                        ? Optional.empty()
                        : names(caller, request.getSessionId()).temporary(path);
        PathEntry self = temporary.isPresent() ? entry(path, temporary.get()) : found(tree, path);
        if (self.kind() == PathEntry.Kind.VIEW) {
            // The columns of a view are known only when it is read. Tools ask only whether it
            // exists.
            return DescribeTableResult.newBuilder()
                    .setSelf(SchemeEntries.entry(self, tree))
                    .build();
        }
        Table table =
                temporary
                        .or(() -> tree.find(path))
                        .orElseThrow(
                                () ->
                                        new StatusException(
                                                Status.SCHEME_ERROR,
                                                "Entry %s with type DIRECTORY is not a table"
                                                        .formatted(self.name())));
        var description = TableDescriptions.of(table, SchemeEntries.entry(self, tree));
        description.setTemporary(temporary.isPresent());
        if (includesSetVal(request)) {
            TableDescriptions.addPositions(description, table, tree);
        }
        // YDB sorts the indexes by name.
        List<Index> indexes =
                table.indexes().stream().sorted(Comparator.comparing(Index::name)).toList();
        for (Index index : indexes) {
            long bytes =
                    tree
                            .find(Index.path(table.path(), index.name()))
                            .map(rows -> tree.tablets(rows))
                            .orElse(List.of())
                            .stream()
                            .mapToLong(TabletInfo::bytes)
                            .sum();
            description.addIndexes(TableIndexes.describe(index, bytes));
        }
        TableDescriptions.addTablets(
                description, table, tree.tablets(table), request, database.nodeId());
        return description.build();
    }

    private static boolean includesSetVal(DescribeTableRequest request) {
        return request.getUnknownFields().getField(INCLUDE_SET_VAL).getVarintList().stream()
                .anyMatch(value -> value != 0);
    }

    private static PathEntry entry(String path, Table table) {
        return new PathEntry(
                path.substring(path.lastIndexOf('/') + 1),
                path,
                PathEntry.Kind.TABLE,
                table.createdMicros());
    }

    /// For a path that does not exist, this call returns a status without issues, as YDB does.
    private static PathEntry found(Scheme tree, String path) {
        try {
            return tree.describe(path);
        } catch (StatusException e) {
            throw new StatusException(e.status(), List.of());
        }
    }

    void describeOptions(StreamObserver<DescribeTableOptionsResponse> replies) {
        requests.here(
                replies,
                operation ->
                        DescribeTableOptionsResponse.newBuilder().setOperation(operation).build(),
                caller -> Done.of(TablePresets.describe(caller.tree().media())));
    }

    /// Names as the session sees them. The session must exist.
    private SessionNames names(CallerDatabase caller, String sessionId) {
        Session session = caller.session(sessionId);
        session.touch();
        return database.names(session);
    }

    private void checkSession(CallerDatabase caller, String id) {
        if (!id.isEmpty()) {
            caller.session(id).touch();
        }
    }

    private String path(String sent) {
        return RequestParts.path(sent, database.path());
    }
}
