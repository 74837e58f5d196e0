package io.cleave.wire;

import io.cleave.base.Issue;
import io.cleave.cluster.PathEntry;
import io.cleave.cluster.Scheme;
import io.cleave.query.Database;
import io.cleave.schema.SchemeChange;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.scheme.PermissionRequests;
import io.cleave.wire.scheme.SchemeEntries;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsResponse;
import tech.ydb.proto.scheme.SchemeOperationProtos.RemoveDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.RemoveDirectoryResponse;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc.SchemeServiceImplBase;

import java.util.List;

/// Directories, their entries, and their permissions.
final class SchemeService extends SchemeServiceImplBase {
    private final String database;
    private final Requests requests;

    SchemeService(Database database, Requests requests) {
        this.database = database.path();
        this.requests = requests;
    }

    @Override
    public void makeDirectory(
            MakeDirectoryRequest request, StreamObserver<MakeDirectoryResponse> replies) {
        requests.apart(
                replies,
                operation -> MakeDirectoryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    return makeDirectory(caller.tree(), path(request.getPath()));
                });
    }

    private Done makeDirectory(Scheme tree, String path) {
        if (!path.equals(database) && !path.startsWith(database + "/")) {
            throw RequestParts.bad(
                    "Path '%s' is not below the database '%s'".formatted(path, database));
        }
        if (tree.makeDirectory(path)) {
            return Done.NOTHING;
        }
        // Tools read this text to learn that the directory existed already.
        return Done.saying(
                List.of(
                        Issue.info(
                                "Check failed: path: '%s', error: path exist, request accepts it"
                                        .formatted(path))));
    }

    @Override
    public void removeDirectory(
            RemoveDirectoryRequest request, StreamObserver<RemoveDirectoryResponse> replies) {
        requests.apart(
                replies,
                operation -> RemoveDirectoryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    caller.tree().removeDirectory(path(request.getPath()));
                    return Done.NOTHING;
                });
    }

    @Override
    public void listDirectory(
            ListDirectoryRequest request, StreamObserver<ListDirectoryResponse> replies) {
        requests.apart(
                replies,
                operation -> ListDirectoryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    return Done.of(list(caller.tree(), path(request.getPath())));
                });
    }

    private static ListDirectoryResult list(Scheme tree, String path) {
        PathEntry self = tree.describe(path);
        var result = ListDirectoryResult.newBuilder().setSelf(SchemeEntries.entry(self, tree));
        switch (self.kind()) {
            case DATABASE, DIRECTORY ->
                    tree.list(path)
                            .forEach(child -> result.addChildren(SchemeEntries.entry(child, tree)));
            case TABLE, VIEW, SYSTEM_VIEW -> {}
        }
        return result.build();
    }

    @Override
    public void describePath(
            DescribePathRequest request, StreamObserver<DescribePathResponse> replies) {
        requests.apart(
                replies,
                operation -> DescribePathResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    PathEntry self = caller.tree().describe(path(request.getPath()));
                    return Done.of(
                            DescribePathResult.newBuilder()
                                    .setSelf(SchemeEntries.entry(self, caller.tree()))
                                    .build());
                });
    }

    @Override
    public void modifyPermissions(
            ModifyPermissionsRequest request, StreamObserver<ModifyPermissionsResponse> replies) {
        requests.apart(
                replies,
                operation -> ModifyPermissionsResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    caller.tree()
                            .change(
                                    new SchemeChange.Access(
                                            PermissionRequests.change(
                                                    path(request.getPath()), request)));
                    return Done.NOTHING;
                });
    }

    private String path(String sent) {
        return RequestParts.path(sent, database);
    }
}
