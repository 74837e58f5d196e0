package io.cleave.wire;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Database;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.RequestFields;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.discovery.DiscoveryProtos.EndpointInfo;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResult;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc.DiscoveryServiceImplBase;

import java.util.List;

/// Tells clients where the nodes are. The answer is the address that the client used for this call:
/// that address is known to work, even through a tunnel or a container's port.
final class DiscoveryService extends DiscoveryServiceImplBase {
    private static final List<String> SERVICES =
            List.of(
                    "auth",
                    "cms",
                    "discovery",
                    "monitoring",
                    "query_service",
                    "scheme",
                    "scripting",
                    "table_service",
                    "operation");

    private final Database database;
    private final Requests requests;

    DiscoveryService(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    @Override
    public void listEndpoints(
            ListEndpointsRequest request, StreamObserver<ListEndpointsResponse> replies) {
        requests.here(
                replies,
                operation -> ListEndpointsResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    RequestFields.check(request);
                    return Done.of(endpoints(request.getDatabase()));
                });
    }

    @Override
    public void whoAmI(WhoAmIRequest request, StreamObserver<WhoAmIResponse> replies) {
        requests.here(
                replies,
                operation -> WhoAmIResponse.newBuilder().setOperation(operation).build(),
                _ -> {
                    RequestFields.check(request);
                    return Done.of(WhoAmIResult.newBuilder().setUser(AuthService.USER).build());
                });
    }

    private ListEndpointsResult endpoints(String wanted) {
        String served = database.path();
        if (!DatabaseHeader.names(wanted, served)) {
            throw new StatusException(
                    Status.NOT_FOUND, Issue.error(DatabaseHeader.unknown(wanted, served)));
        }
        Authority authority = Authority.parse(CallerHeaders.authority());
        EndpointInfo endpoint =
                EndpointInfo.newBuilder()
                        .setAddress(authority.host())
                        .setPort(authority.port())
                        .addAllService(SERVICES)
                        .setNodeId(database.nodeId())
                        .build();
        return ListEndpointsResult.newBuilder().addEndpoints(endpoint).build();
    }

    /// `host:port`, where the host may be an IPv6 address in brackets.
    record Authority(String host, int port) {
        static final int DEFAULT_PORT = 2136;

        static Authority parse(String text) {
            int colon = text.lastIndexOf(':');
            if (colon < 0 || text.endsWith("]")) {
                return new Authority(text, DEFAULT_PORT);
            }
            try {
                return new Authority(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
            } catch (NumberFormatException notANumber) {
                return new Authority(text, DEFAULT_PORT);
            }
        }
    }
}
