package io.cleave.wire;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/// Refuses calls that name a database which this server does not have. Calls that name no database
/// are accepted: clients behind a tool often send no name.
final class DatabaseHeader implements ServerInterceptor {
    private static final Metadata.Key<String> DATABASE =
            Metadata.Key.of("x-ydb-database", Metadata.ASCII_STRING_MARSHALLER);

    /// Its calls are about databases, and each checks the name itself.
    private static final String DISCOVERY = "Ydb.Discovery.";

    private final String served;

    DatabaseHeader(String served) {
        this.served = served;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String wanted = headers.get(DATABASE);
        if (wanted == null
                || names(wanted, served)
                || call.getMethodDescriptor().getFullMethodName().startsWith(DISCOVERY)) {
            return next.startCall(call, headers);
        }
        call.close(Status.NOT_FOUND.withDescription(unknown(wanted, served)), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /// Whether the name that a client sent means the served database. Slashes around the name do
    /// not matter.
    static boolean names(String wanted, String served) {
        return wanted.isEmpty()
                || wanted.equals(served)
                || stripped(wanted).equals(stripped(served));
    }

    static String unknown(String wanted, String served) {
        return "Database '%s' not found: this server has '%s'".formatted(wanted, served);
    }

    private static String stripped(String path) {
        int from = 0;
        int to = path.length();
        while (from < to && path.charAt(from) == '/') {
            from++;
        }
        while (to > from && path.charAt(to - 1) == '/') {
            to--;
        }
        return path.substring(from, to);
    }
}
