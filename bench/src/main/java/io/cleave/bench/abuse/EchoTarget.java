package io.cleave.bench.abuse;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionResponse;
import tech.ydb.proto.query.YdbQuery.DeleteSessionRequest;
import tech.ydb.proto.query.YdbQuery.DeleteSessionResponse;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.SessionState;
import tech.ydb.proto.query.v1.QueryServiceGrpc.QueryServiceImplBase;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/// A server that does no work: gRPC's own server, which answers the sessions and queries of YDB's
/// service, and an HTTP port. What clients notice of an attack on it is caused by the machine and
/// by gRPC.
///
/// It runs in its own process. It prints its two ports, and ends when its input ends.
final class EchoTarget implements AutoCloseable {
    private static final int PART_BYTES = 64 << 10;
    private static final ExecuteQueryResponsePart ONE_ROW =
            part(Value.newBuilder().addItems(Value.newBuilder().setTextValue("label")).build());
    private static final ExecuteQueryResponsePart LARGE =
            part(
                    Value.newBuilder()
                            .addItems(
                                    Value.newBuilder()
                                            .setBytesValue(
                                                    ByteString.copyFrom(new byte[PART_BYTES])))
                            .build());

    private static final byte[] OK = "ok\n".getBytes(StandardCharsets.US_ASCII);

    /// The logger that warns about every stream that a client abandons. Referenced here, because
    /// the JVM forgets the level of a logger that is garbage-collected.
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final AtomicLong sessions = new AtomicLong();
    private final Server server;
    private final HttpServer http;

    EchoTarget() throws IOException {
        GRPC.setLevel(Level.OFF);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server =
                NettyServerBuilder.forAddress(address)
                        .directExecutor()
                        .addService(new Queries())
                        .build()
                        .start();
        http = HttpServer.create(address, 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", EchoTarget::answer);
        http.start();
    }

    public static void main(String[] args) throws IOException {
        var echo = new EchoTarget();
        System.out.println(echo.target().grpcPort() + " " + echo.target().httpPort());
        while (System.in.read() >= 0) {
            // The benchmark holds the other end, and sends nothing.
        }
        Runtime.getRuntime().halt(0);
    }

    Target target() {
        int port = http.getAddress().getPort();
        return new Target(server.getPort(), port, port, "/local");
    }

    @Override
    public void close() {
        server.shutdownNow();
        http.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            // If a long body is not read, the connection is reset while the client still sends.
            var _ = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            exchange.sendResponseHeaders(200, OK.length);
            exchange.getResponseBody().write(OK);
        }
    }

    private static ExecuteQueryResponsePart part(Value row) {
        return ExecuteQueryResponsePart.newBuilder()
                .setStatus(StatusCode.SUCCESS)
                .setResultSet(ResultSet.newBuilder().addRows(row))
                .build();
    }

    private final class Queries extends QueryServiceImplBase {
        @Override
        public void createSession(
                CreateSessionRequest request, StreamObserver<CreateSessionResponse> replies) {
            replies.onNext(
                    CreateSessionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .setSessionId("session " + sessions.incrementAndGet())
                            .build());
            replies.onCompleted();
        }

        /// The stream stays open until the client leaves.
        @Override
        public void attachSession(
                AttachSessionRequest request, StreamObserver<SessionState> replies) {
            replies.onNext(SessionState.newBuilder().setStatus(StatusCode.SUCCESS).build());
        }

        @Override
        public void deleteSession(
                DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> replies) {
            replies.onNext(
                    DeleteSessionResponse.newBuilder().setStatus(StatusCode.SUCCESS).build());
            replies.onCompleted();
        }

        /// A query of the whole table has no end here: rows are sent for as long as the client
        /// reads.
        @Override
        public void executeQuery(
                ExecuteQueryRequest request, StreamObserver<ExecuteQueryResponsePart> replies) {
            if (!request.getQueryContent().getText().equals(BigTable.WHOLE)) {
                replies.onNext(ONE_ROW);
                replies.onCompleted();
                return;
            }
            var stream = (ServerCallStreamObserver<ExecuteQueryResponsePart>) replies;
            stream.setOnReadyHandler(
                    () -> {
                        while (stream.isReady()) {
                            stream.onNext(LARGE);
                        }
                    });
        }
    }
}
