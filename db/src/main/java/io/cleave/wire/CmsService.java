package io.cleave.wire;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Database;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.cms.YdbCms.AlterDatabaseRequest;
import tech.ydb.proto.cms.YdbCms.AlterDatabaseResponse;
import tech.ydb.proto.cms.YdbCms.CreateDatabaseRequest;
import tech.ydb.proto.cms.YdbCms.CreateDatabaseResponse;
import tech.ydb.proto.cms.YdbCms.DescribeDatabaseOptionsRequest;
import tech.ydb.proto.cms.YdbCms.DescribeDatabaseOptionsResponse;
import tech.ydb.proto.cms.YdbCms.GetDatabaseStatusRequest;
import tech.ydb.proto.cms.YdbCms.GetDatabaseStatusResponse;
import tech.ydb.proto.cms.YdbCms.GetDatabaseStatusResult;
import tech.ydb.proto.cms.YdbCms.ListDatabasesRequest;
import tech.ydb.proto.cms.YdbCms.ListDatabasesResponse;
import tech.ydb.proto.cms.YdbCms.ListDatabasesResult;
import tech.ydb.proto.cms.YdbCms.RemoveDatabaseRequest;
import tech.ydb.proto.cms.YdbCms.RemoveDatabaseResponse;
import tech.ydb.proto.cms.v1.CmsServiceGrpc.CmsServiceImplBase;

/// The databases of this server. There is exactly one.
final class CmsService extends CmsServiceImplBase {
    private final String served;
    private final Requests requests;

    CmsService(Database database, Requests requests) {
        this.served = database.path();
        this.requests = requests;
    }

    @Override
    public void listDatabases(
            ListDatabasesRequest request, StreamObserver<ListDatabasesResponse> replies) {
        requests.here(
                replies,
                operation -> ListDatabasesResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    RequestFields.check(request);
                    return Done.of(ListDatabasesResult.newBuilder().addPaths(served).build());
                });
    }

    @Override
    public void getDatabaseStatus(
            GetDatabaseStatusRequest request, StreamObserver<GetDatabaseStatusResponse> replies) {
        requests.here(
                replies,
                operation -> GetDatabaseStatusResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    RequestFields.check(request);
                    if (!DatabaseHeader.names(request.getPath(), served)) {
                        throw new StatusException(
                                Status.NOT_FOUND,
                                DatabaseHeader.unknown(request.getPath(), served));
                    }
                    return Done.of(
                            GetDatabaseStatusResult.newBuilder()
                                    .setPath(served)
                                    .setState(GetDatabaseStatusResult.State.RUNNING)
                                    .build());
                });
    }

    @Override
    public void createDatabase(
            CreateDatabaseRequest request, StreamObserver<CreateDatabaseResponse> replies) {
        requests.here(
                replies,
                operation -> CreateDatabaseResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    throw RequestParts.unsupported("CreateDatabase");
                });
    }

    @Override
    public void alterDatabase(
            AlterDatabaseRequest request, StreamObserver<AlterDatabaseResponse> replies) {
        requests.here(
                replies,
                operation -> AlterDatabaseResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    throw RequestParts.unsupported("AlterDatabase");
                });
    }

    @Override
    public void removeDatabase(
            RemoveDatabaseRequest request, StreamObserver<RemoveDatabaseResponse> replies) {
        requests.here(
                replies,
                operation -> RemoveDatabaseResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    throw RequestParts.unsupported("RemoveDatabase");
                });
    }

    @Override
    public void describeDatabaseOptions(
            DescribeDatabaseOptionsRequest request,
            StreamObserver<DescribeDatabaseOptionsResponse> replies) {
        requests.here(
                replies,
                operation ->
                        DescribeDatabaseOptionsResponse.newBuilder()
                                .setOperation(operation)
                                .build(),
                _ -> {
                    throw RequestParts.unsupported("DescribeDatabaseOptions");
                });
    }
}
