package io.cleave.wire;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Access;
import io.cleave.schema.User;
import io.cleave.tree.PasswordHash;
import io.cleave.tree.Scheme;
import io.cleave.wire.Replies.Done;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResponse;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc.AuthServiceImplBase;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Checks passwords at login. If the database has no users, any name may log in.
///
/// Permissions are not enforced yet: every caller may do everything. Clients insist on a token, so
/// a login returns one, but no call checks it.
final class AuthService extends AuthServiceImplBase {
    /// The user that WhoAmI returns to every caller.
    static final String USER = Access.DEFAULT_OWNER;

    /// This user exists even if nobody created it. Its password is then that of YDB's local image,
    /// or empty.
    private static final String BUILT_IN = "root";

    private static final String BUILT_IN_PASSWORD = "1234";

    private final Scheme scheme;
    private final Requests requests;

    AuthService(Scheme scheme, Requests requests) {
        this.scheme = scheme;
        this.requests = requests;
    }

    @Override
    public void login(LoginRequest request, StreamObserver<LoginResponse> replies) {
        // Hashing the password takes a while.
        requests.apart(
                replies,
                operation -> LoginResponse.newBuilder().setOperation(operation).build(),
                () -> {
                    RequestFields.check(request);
                    check(request.getUser(), request.getPassword());
                    long nowSeconds = requests.env().wallMicros() / 1_000_000;
                    String token = LoginToken.of(request.getUser(), scheme.database(), nowSeconds);
                    return Done.of(LoginResult.newBuilder().setToken(token).build());
                });
    }

    private void check(String name, String password) {
        SortedMap<String, User> users = scheme.access().users();
        User user = users.get(name);
        if (user == null) {
            checkBuiltIn(name, password, users.isEmpty());
            return;
        }
        if (!PasswordHash.matches(user.password(), password)) {
            throw refused("Invalid password");
        }
        if (!user.enabled()) {
            throw refused("User " + name + " is not permitted to log in");
        }
    }

    private static void checkBuiltIn(String name, String password, boolean withoutUsers) {
        if (name.equals(BUILT_IN)) {
            if (!password.isEmpty() && !password.equals(BUILT_IN_PASSWORD)) {
                throw refused("Invalid password");
            }
        } else if (!withoutUsers) {
            throw refused("Cannot find user: " + name);
        }
    }

    private static StatusException refused(String why) {
        return new StatusException(
                Status.UNAUTHORIZED,
                new Issue(
                        Issue.Severity.FATAL,
                        Status.UNAUTHORIZED.code(),
                        why,
                        Optional.empty(),
                        List.of()));
    }
}
