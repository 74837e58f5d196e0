package io.cleave.wire;

import io.cleave.access.Caller;
import io.cleave.access.LoginToken;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Database;
import io.cleave.query.SessionClient;
import io.cleave.rpc.ConnectionSlot;
import io.cleave.schema.Access;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Finds out who makes a call: the user of its token and the address of its connection. The handler
/// of a call gets the database as that caller sees it ([#database]), on the thread on which it
/// begins. For CreateSession it also finds out which program is calling.
///
/// The caller of a connection is remembered until a call brings another token, or until users and
/// groups change.
final class CallerHeaders implements ServerInterceptor {
    private static final String CREATE_SESSION = "CreateSession";
    private static final String LIST_ENDPOINTS = "ListEndpoints";

    /// Clients choose what they put into a header, so a longer value is truncated.
    private static final int MAX_CHARS = 256;

    /// A connection remembers no longer token, because all connections together have no memory for
    /// it. The tokens that Login makes are far shorter.
    private static final int MAX_REMEMBERED_CHARS = 2_048;

    private static final Context.Key<CallerDatabase> DATABASE = Context.key("database");
    private static final Context.Key<SessionClient> CLIENT = Context.key("client");
    private static final Context.Key<String> AUTHORITY = Context.key("authority");
    private static final Metadata.Key<String> PROCESS = key("x-ydb-client-pid");
    private static final Metadata.Key<String> USER_AGENT = key("user-agent");
    private static final Metadata.Key<String> SDK = key("x-ydb-sdk-build-info");
    private static final Metadata.Key<String> APPLICATION = key("x-ydb-application-name");

    private static final Metadata.Key<String> TICKET = key("x-ydb-auth-ticket");

    private final Database database;

    CallerHeaders(Database database) {
        this.database = database;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /// The database as the caller of this call sees it. Only on the thread on which the call's
    /// handler began.
    static CallerDatabase database() {
        return Objects.requireNonNull(DATABASE.get(), "outside of a call");
    }

    /// The program that makes a CreateSession call. Only on the thread on which its handler began.
    static SessionClient client() {
        SessionClient client = CLIENT.get();
        return client == null ? SessionClient.UNKNOWN : client;
    }

    /// The address by which the client of a ListEndpoints call reached this server: `host:port`.
    /// Only on the thread on which its handler began.
    static String authority() {
        String authority = AUTHORITY.get();
        return authority == null ? "localhost" : authority;
    }

    /// What is remembered of a connection.
    private record Known(@Nullable String ticket, Access access, Context context) {
        @SuppressWarnings("ReferenceEquality") // every change of the rights makes a new object
        boolean isStill(@Nullable String newTicket, Access newAccess) {
            return access == newAccess && Objects.equals(ticket, newTicket);
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Context context = context(call, headers.get(TICKET));
        String method = call.getMethodDescriptor().getBareMethodName();
        if (CREATE_SESSION.equals(method)) {
            context = context.withValue(CLIENT, client(headers));
        } else if (LIST_ENDPOINTS.equals(method) && call.getAuthority() != null) {
            context = context.withValue(AUTHORITY, call.getAuthority());
        }
        return new Listener<>(next.startCall(call, headers), context);
    }

    private Context context(ServerCall<?, ?> call, @Nullable String ticket) {
        ConnectionSlot slot = ConnectionSlot.of(call);
        Access access = database.access();
        if (slot != null
                && slot.content() instanceof Known known
                && known.isStill(ticket, access)) {
            return known.context();
        }
        Object address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        Caller caller =
                Caller.ofToken(
                        shortened(LoginToken.user(ticket)),
                        address == null ? "" : shortened(address.toString()),
                        access);
        Context context = Context.ROOT.withValue(DATABASE, database.as(caller));
        if (slot != null && isRemembered(ticket)) {
            slot.keep(new Known(ticket, access, context));
        }
        return context;
    }

    static boolean isRemembered(@Nullable String ticket) {
        return ticket == null || ticket.length() <= MAX_REMEMBERED_CHARS;
    }

    private static SessionClient client(Metadata headers) {
        return new SessionClient(
                shortened(headers.get(PROCESS)),
                shortened(headers.get(USER_AGENT)),
                shortened(headers.get(SDK)),
                shortened(headers.get(APPLICATION)));
    }

    private static String shortened(@Nullable String text) {
        return text == null ? "" : text.substring(0, Math.min(MAX_CHARS, text.length()));
    }

    /// Every handler begins when the client has sent its whole request.
    private static final class Listener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Context context;

        Listener(ServerCall.Listener<Q> listener, Context context) {
            super(listener);
            this.context = context;
        }

        @Override
        public void onHalfClose() {
            Context previous = context.attach();
            try {
                super.onHalfClose();
            } finally {
                context.detach(previous);
            }
        }
    }
}
