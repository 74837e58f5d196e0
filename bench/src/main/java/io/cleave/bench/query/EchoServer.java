package io.cleave.bench.query;

import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The lower bound of the protocol's cost. It answers each ExecuteQuery with the messages that
/// Cleave returned for the first query of the same text, on the connection's thread and with
/// generated stubs. Everything else, such as discovery and sessions, it forwards to Cleave, so that
/// the same clients can use it.
///
/// It runs in its own process. It prints its port, and ends when its input ends.
final class EchoServer {
    private final ManagedChannel cleave;
    private final Map<String, List<ExecuteQueryResponsePart>> answers = new ConcurrentHashMap<>();

    private EchoServer(ManagedChannel cleave) {
        this.cleave = cleave;
    }

    /// The argument is Cleave's `host:port`.
    public static void main(String[] args) throws IOException {
        String address = args[0];
        ManagedChannel cleave =
                NettyChannelBuilder.forTarget(address).usePlaintext().directExecutor().build();
        var server =
                NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
                        .directExecutor()
                        .addService(new EchoServer(cleave).service())
                        .fallbackHandlerRegistry(new TheRest(cleave))
                        .permitKeepAliveWithoutCalls(true)
                        .build()
                        .start();
        System.out.println(server.getPort());
        while (System.in.read() >= 0) {
            // The benchmark holds the other end, and sends nothing.
        }
        server.shutdownNow();
        cleave.shutdownNow();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(QueryServiceGrpc.SERVICE_NAME)
                .addMethod(
                        QueryServiceGrpc.getExecuteQueryMethod(),
                        ServerCalls.asyncServerStreamingCall(this::executeQuery))
                .build();
    }

    private void executeQuery(
            ExecuteQueryRequest request, StreamObserver<ExecuteQueryResponsePart> replies) {
        String text = request.getQueryContent().getText();
        List<ExecuteQueryResponsePart> answer = answers.get(text);
        if (answer == null) {
            record(text, request, replies);
            return;
        }
        answer.forEach(replies::onNext);
        replies.onCompleted();
    }

    private void record(
            String text,
            ExecuteQueryRequest request,
            StreamObserver<ExecuteQueryResponsePart> replies) {
        ClientCalls.asyncServerStreamingCall(
                cleave.newCall(QueryServiceGrpc.getExecuteQueryMethod(), CallOptions.DEFAULT),
                request,
                new Recorder(text, replies));
    }

    private final class Recorder implements StreamObserver<ExecuteQueryResponsePart> {
        private final String text;
        private final StreamObserver<ExecuteQueryResponsePart> replies;
        private final List<ExecuteQueryResponsePart> parts = new ArrayList<>();

        Recorder(String text, StreamObserver<ExecuteQueryResponsePart> replies) {
            this.text = text;
            this.replies = replies;
        }

        @Override
        public void onNext(ExecuteQueryResponsePart part) {
            parts.add(part);
            replies.onNext(part);
        }

        @Override
        public void onError(Throwable thrown) {
            replies.onError(thrown);
        }

        @Override
        public void onCompleted() {
            answers.put(text, List.copyOf(parts));
            replies.onCompleted();
        }
    }

    /// Methods that are not answered here but forwarded.
    private static final class TheRest extends HandlerRegistry {
        private final ManagedChannel cleave;

        TheRest(ManagedChannel cleave) {
            this.cleave = cleave;
        }

        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
            var method = Forwarding.method(name);
            return ServerMethodDefinition.create(method, new Forwarding(cleave, method));
        }
    }
}
