package io.cleave.wire;

import io.cleave.schema.Access;
import io.cleave.wire.Replies.Done;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResponse;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc.AuthServiceImplBase;

/// Nothing is enforced yet: everyone may do everything, and whoever logs in gets a token that
/// nobody checks, because clients insist on one.
final class AuthService extends AuthServiceImplBase {
    /// Who everyone is.
    static final String USER = Access.DEFAULT_OWNER;

    private final Requests requests;

    AuthService(Requests requests) {
        this.requests = requests;
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginResponse> replies) {
        requests.here(
                replies,
                operation -> LoginResponse.newBuilder().setOperation(operation).build(),
                () -> Done.of(LoginResult.newBuilder().setToken(USER).build()));
    }
}
