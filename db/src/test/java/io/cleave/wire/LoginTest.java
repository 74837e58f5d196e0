package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.YdbAuth.LoginResult;
import tech.ydb.proto.auth.v1.AuthServiceGrpc;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Who is let in, and what those hear who are not.
class LoginTest {
    private final TestServer server = new TestServer();
    private final ManagedChannel channel =
            NettyChannelBuilder.forTarget(server.endpoint()).usePlaintext().build();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    @Test
    void withoutUsersAnyoneIsLetIn() {
        assertLetIn("me", "any");
        assertLetIn("", "");
        assertLetIn("root", "");
        assertLetIn("root", "1234");
        assertRefused("root", "123", "Invalid password");
    }

    @Test
    void theTokenSaysHowLongItLives() throws Exception {
        String token =
                login("me \"and\" you", "any").getResult().unpack(LoginResult.class).getToken();
        String[] parts = token.split("\\.", -1);
        assertThat(parts).hasSize(3);
        assertThat(json(parts[0])).isEqualTo("{\"alg\":\"none\",\"typ\":\"JWT\"}");
        assertThat(json(parts[1]))
                .matches(
                        "\\{\"aud\":\\[\"/local\"],\"exp\":\\d+,\"iat\":\\d+,"
                                + "\"sub\":\"me \\\\u0022and\\\\u0022 you\"}");
        assertThat(parts[2]).isEmpty();
    }

    @Test
    void aQueryKnowsWhoHasOpenedItsSession() throws Exception {
        String token = login("ann", "").getResult().unpack(LoginResult.class).getToken();
        assertThat(userOf(token)).isEqualTo("ann");
        assertThat(userOf("no token")).isEmpty();
        assertThat(userOf("a.b%.c")).isEmpty();
        assertThat(userOf("a.W10.c")).isEmpty();
        assertThat(user(channel)).isEmpty();
    }

    private String userOf(String token) {
        var headers = new Metadata();
        headers.put(Metadata.Key.of("x-ydb-auth-ticket", Metadata.ASCII_STRING_MARSHALLER), token);
        return user(
                ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(headers)));
    }

    private static String user(Channel channel) {
        return TestSessions.run(
                        channel,
                        TestSessions.open(channel),
                        "SELECT CurrentAuthenticatedUser() || CurrentOperationId()")
                .getFirst()
                .getResultSet()
                .getRows(0)
                .getItems(0)
                .getBytesValue()
                .toStringUtf8();
    }

    private static String json(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }

    @Test
    void withUsersEachNeedsItsPassword() {
        run("CREATE USER open PASSWORD NULL; CREATE USER closed PASSWORD 'pw@&ss'");
        assertLetIn("open", "");
        assertRefused("open", "a", "Invalid password");
        assertLetIn("closed", "pw@&ss");
        assertRefused("closed", "", "Invalid password");
        assertRefused("closed", "pw@&s", "Invalid password");
        assertRefused("other", "", "Cannot find user: other");
        assertLetIn("root", "");
        assertRefused("root", "a", "Invalid password");
        run("ALTER USER closed PASSWORD 'new'; ALTER USER open NOLOGIN");
        assertRefused("closed", "pw@&ss", "Invalid password");
        assertLetIn("closed", "new");
        assertRefused("open", "", "User open is not permitted to log in");
        run("DROP USER open, closed");
        assertLetIn("closed", "any");
    }

    private void run(String text) {
        TestSessions.run(channel, TestSessions.open(channel), text);
    }

    private void assertLetIn(String user, String password) {
        assertThat(login(user, password).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    private void assertRefused(String user, String password, String why) {
        Operation refused = login(user, password);
        assertThat(refused.getStatus()).isEqualTo(StatusCode.UNAUTHORIZED);
        assertThat(refused.getIssuesList())
                .singleElement()
                .satisfies(
                        issue -> {
                            assertThat(issue.getMessage()).isEqualTo(why);
                            assertThat(issue.getIssueCode())
                                    .isEqualTo(StatusCode.UNAUTHORIZED_VALUE);
                            assertThat(issue.getSeverity()).isZero();
                        });
    }

    private Operation login(String user, String password) {
        return AuthServiceGrpc.newBlockingStub(channel)
                .login(LoginRequest.newBuilder().setUser(user).setPassword(password).build())
                .getOperation();
    }
}
