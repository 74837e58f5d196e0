package io.cleave.wire;

import io.cleave.wire.value.RequestFields;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.OperationProtos.CancelOperationRequest;
import tech.ydb.proto.OperationProtos.CancelOperationResponse;
import tech.ydb.proto.OperationProtos.ForgetOperationRequest;
import tech.ydb.proto.OperationProtos.ForgetOperationResponse;
import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.OperationProtos.GetOperationResponse;
import tech.ydb.proto.OperationProtos.ListOperationsRequest;
import tech.ydb.proto.OperationProtos.ListOperationsResponse;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.operation.v1.OperationServiceGrpc.OperationServiceImplBase;

/// Operations that outlive the call that started them: scripts and index BuildOperations.
final class OperationService extends OperationServiceImplBase {
    private static final String SCRIPTS = "scriptexec";

    private final Requests requests;
    private final Scripts scripts;

    OperationService(Requests requests, Scripts scripts) {
        this.requests = requests;
        this.scripts = scripts;
    }

    @Override
    public void getOperation(
            GetOperationRequest request, StreamObserver<GetOperationResponse> replies) {
        requests.plainHere(
                replies,
                failure ->
                        GetOperationResponse.newBuilder()
                                .setOperation(
                                        Replies.failed(failure).toBuilder().setId(request.getId()))
                                .build(),
                caller ->
                        GetOperationResponse.newBuilder()
                                .setOperation(
                                        BuildOperations.isOne(request.getId())
                                                ? BuildOperations.get(caller, request.getId())
                                                : scripts.get(request.getId()))
                                .build());
    }

    @Override
    public void cancelOperation(
            CancelOperationRequest request, StreamObserver<CancelOperationResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(CancelOperationResponse.getDefaultInstance()),
                caller -> {
                    RequestFields.check(request);
                    if (BuildOperations.isOne(request.getId())) {
                        BuildOperations.cancel(caller, request.getId());
                    } else {
                        scripts.cancel(request.getId());
                    }
                    return CancelOperationResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .build();
                });
    }

    @Override
    public void forgetOperation(
            ForgetOperationRequest request, StreamObserver<ForgetOperationResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(ForgetOperationResponse.getDefaultInstance()),
                caller -> {
                    RequestFields.check(request);
                    if (BuildOperations.isOne(request.getId())) {
                        BuildOperations.forget(caller, request.getId());
                    } else {
                        scripts.forget(request.getId());
                    }
                    return ForgetOperationResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .build();
                });
    }

    @Override
    public void listOperations(
            ListOperationsRequest request, StreamObserver<ListOperationsResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(ListOperationsResponse.getDefaultInstance()),
                caller -> {
                    RequestFields.check(request);
                    var reply = ListOperationsResponse.newBuilder().setStatus(StatusCode.SUCCESS);
                    if (request.getKind().equals(SCRIPTS)) {
                        reply.addAllOperations(scripts.list());
                    } else if (request.getKind().equals(BuildOperations.KIND)) {
                        BuildOperations.list(
                                caller, request.getPageSize(), request.getPageToken(), reply);
                    }
                    return reply.build();
                });
    }
}
