package io.cleave.wire;

import io.cleave.query.CallerDatabase;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.RequestFields;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.monitoring.MonitoringProtos.NodeCheckRequest;
import tech.ydb.proto.monitoring.MonitoringProtos.NodeCheckResponse;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheck;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheckRequest;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheckResponse;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheckResult;
import tech.ydb.proto.monitoring.v1.MonitoringServiceGrpc.MonitoringServiceImplBase;

/// Health checks for probes. A node stops when its log fails, so a node that answers is healthy.
final class MonitoringService extends MonitoringServiceImplBase {
    private final Requests requests;

    MonitoringService(Requests requests) {
        this.requests = requests;
    }

    @Override
    public void selfCheck(SelfCheckRequest request, StreamObserver<SelfCheckResponse> replies) {
        requests.apart(
                replies,
                operation -> SelfCheckResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    return Done.of(check(caller));
                });
    }

    @Override
    public void nodeCheck(NodeCheckRequest request, StreamObserver<NodeCheckResponse> replies) {
        requests.apart(
                replies,
                operation -> NodeCheckResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    return Done.of(check(caller));
                });
    }

    private SelfCheckResult check(CallerDatabase caller) {
        // The catalog has to answer before the node is reported as good.
        caller.tree().list(caller.tree().database());
        return SelfCheckResult.newBuilder().setSelfCheckResult(SelfCheck.Result.GOOD).build();
    }
}
