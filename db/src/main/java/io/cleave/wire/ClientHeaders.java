package io.cleave.wire;

import io.cleave.query.SessionClient;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

import org.jspecify.annotations.Nullable;

/// Reads from the headers of a CreateSession call which client is calling. Other calls pass
/// unchanged.
final class ClientHeaders implements ServerInterceptor {
    private static final String CREATE_SESSION = "/CreateSession";

    /// Clients choose what they put into a header, so a longer value is truncated.
    private static final int MAX_CHARS = 256;

    private static final Context.Key<SessionClient> CLIENT = Context.key("client");
    private static final Metadata.Key<String> PROCESS = key("x-ydb-client-pid");
    private static final Metadata.Key<String> USER_AGENT = key("user-agent");
    private static final Metadata.Key<String> SDK = key("x-ydb-sdk-build-info");
    private static final Metadata.Key<String> APPLICATION = key("x-ydb-application-name");

    private static final Metadata.Key<String> TICKET = key("x-ydb-auth-ticket");

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!call.getMethodDescriptor().getFullMethodName().endsWith(CREATE_SESSION)) {
            return next.startCall(call, headers);
        }
        Object address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        var client =
                new SessionClient(
                        address == null ? "" : shortened(address.toString()),
                        shortened(headers.get(PROCESS)),
                        shortened(headers.get(USER_AGENT)),
                        shortened(headers.get(SDK)),
                        shortened(headers.get(APPLICATION)),
                        shortened(LoginToken.user(headers.get(TICKET))));
        return Contexts.interceptCall(
                Context.current().withValue(CLIENT, client), call, headers, next);
    }

    private static String shortened(@Nullable String text) {
        return text == null ? "" : text.substring(0, Math.min(MAX_CHARS, text.length()));
    }

    /// The client of the call that runs on the current thread.
    static SessionClient current() {
        SessionClient client = CLIENT.get();
        return client == null ? SessionClient.UNKNOWN : client;
    }
}
