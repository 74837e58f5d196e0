package io.cleave.bench.abuse;

import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.DeleteSessionRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.SerializableModeSettings;
import tech.ydb.proto.query.YdbQuery.SnapshotModeSettings;
import tech.ydb.proto.query.YdbQuery.Syntax;
import tech.ydb.proto.query.YdbQuery.TransactionControl;
import tech.ydb.proto.query.YdbQuery.TransactionSettings;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// An attached session of a connection. It ends with the connection.
record QuerySession(Http2Connection connection, String database, String id) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// Throws [Ask.RefusedException] if the server refuses the session.
    static QuerySession open(Http2Connection connection, String database) throws IOException {
        var created = new Ask<>(Method.CREATE_SESSION);
        connection.ask(
                created,
                headers(Method.CREATE_SESSION, database),
                message(CreateSessionRequest.getDefaultInstance()));
        String id = created.firstReply(LIMIT).getSessionId();
        var attached = new Ask<>(Method.ATTACH_SESSION);
        connection.ask(
                attached,
                headers(Method.ATTACH_SESSION, database),
                message(AttachSessionRequest.newBuilder().setSessionId(id).build()));
        attached.firstReply(LIMIT);
        return new QuerySession(connection, database, id);
    }

    /// Opens `count` sessions, `perConnection` of them on each connection. Refused sessions are
    /// counted in `endings` and are missing from the result.
    static List<QuerySession> openAll(
            Target target, int count, int perConnection, int windowBytes, Endings endings)
            throws IOException {
        List<QuerySession> sessions = new ArrayList<>();
        Http2Connection connection = target.attack(windowBytes);
        for (int index = 0; index < count; index++) {
            if (index > 0 && index % perConnection == 0) {
                connection = target.attack(windowBytes);
            }
            try {
                sessions.add(open(connection, target.database()));
            } catch (Ask.RefusedException e) {
                endings.add(e.ending());
            }
        }
        return sessions;
    }

    static void closeAll(List<QuerySession> sessions) {
        sessions.forEach(session -> session.connection().close());
    }

    static byte[] headers(Method<?> method, String database, String... more) {
        String[] all = new String[more.length + 2];
        all[0] = "x-ydb-database";
        all[1] = database;
        System.arraycopy(more, 0, all, 2, more.length);
        return Frame.callHeaders(method.path(), all);
    }

    static byte[] message(com.google.protobuf.Message request) {
        return Frame.message(false, request.toByteArray());
    }

    void delete() throws IOException {
        var deleted = new Ask<>(Method.DELETE_SESSION);
        connection.ask(
                deleted,
                headers(Method.DELETE_SESSION, database),
                message(DeleteSessionRequest.newBuilder().setSessionId(id).build()));
        deleted.firstReply(LIMIT);
    }

    /// A query in its own transaction. With `snapshot`, the transaction is a read-only snapshot.
    ExecuteQueryRequest.Builder query(String text, boolean snapshot) {
        var mode = TransactionSettings.newBuilder();
        if (snapshot) {
            mode.setSnapshotReadOnly(SnapshotModeSettings.getDefaultInstance());
        } else {
            mode.setSerializableReadWrite(SerializableModeSettings.getDefaultInstance());
        }
        return ExecuteQueryRequest.newBuilder()
                .setSessionId(id)
                .setTxControl(TransactionControl.newBuilder().setBeginTx(mode).setCommitTx(true))
                .setQueryContent(
                        QueryContent.newBuilder().setText(text).setSyntax(Syntax.SYNTAX_YQL_V1));
    }

    void execute(Call call, ExecuteQueryRequest request) throws IOException {
        connection.ask(call, headers(Method.EXECUTE_QUERY, database), message(request));
    }
}
