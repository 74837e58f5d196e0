package io.cleave.wire;

import io.cleave.access.Login;
import io.cleave.access.LoginToken;
import io.cleave.schema.Access;
import io.cleave.tree.Scheme;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.RequestFields;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResponse;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc.AuthServiceImplBase;

/// Logins: a name and a password become a token.
///
/// Permissions are not enforced yet: every caller may do everything. Clients insist on a token, so
/// a login returns one, but no call checks it.
final class AuthService extends AuthServiceImplBase {
    /// The user that WhoAmI returns to every caller.
    static final String USER = Access.DEFAULT_OWNER;

    private final Requests requests;

    AuthService(Requests requests) {
        this.requests = requests;
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginResponse> replies) {
        // Hashing the password takes a while.
        requests.apart(
                replies,
                operation -> LoginResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    Scheme tree = caller.tree();
                    Login.check(tree.access(), request.getUser(), request.getPassword());
                    long nowSeconds = requests.env().wallMicros() / 1_000_000;
                    String token = LoginToken.of(request.getUser(), tree.database(), nowSeconds);
                    return Done.of(LoginResult.newBuilder().setToken(token).build());
                });
    }
}
