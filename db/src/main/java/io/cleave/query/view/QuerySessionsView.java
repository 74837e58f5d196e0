package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;

import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.Supplier;

/// The system view `.sys/query_sessions`: one row for each open session.
final class QuerySessionsView {
    private static final String NAME = "query_sessions";
    private static final long TABLE_ID = -40;
    private static final int KEY_COLUMNS = 1;

    private record Row(SessionInfo session, int nodeId) {}

    private static final List<ViewColumn<Row>> COLUMNS =
            List.of(
                    text("SessionId", row -> row.session().id()),
                    new ViewColumn<>(
                            "NodeId", Primitive.UINT32, row -> Value.of((long) row.nodeId())),
                    text("State", row -> row.session().busy() ? "EXECUTING" : "IDLE"),
                    text("Query", row -> row.session().query()),
                    new ViewColumn<>(
                            "QueryCount",
                            Primitive.UINT32,
                            row -> Value.of(row.session().queryCount())),
                    text("ClientAddress", row -> row.session().caller().address()),
                    text("ClientPID", row -> row.session().processId()),
                    text("ClientUserAgent", row -> row.session().userAgent()),
                    text("ClientSdkBuildInfo", row -> row.session().sdk()),
                    text("ApplicationName", row -> row.session().application()),
                    time("SessionStartAt", row -> row.session().startedMicros()),
                    time("QueryStartAt", row -> row.session().queryStartedMicros()),
                    time("StateChangeAt", row -> row.session().changedMicros()),
                    text("UserSID", row -> row.session().caller().user()));

    private QuerySessionsView() {}

    static SystemView of(String directory, int nodeId, Supplier<List<SessionInfo>> sessions) {
        return ListedView.of(
                TABLE_ID,
                directory + "/" + NAME,
                COLUMNS,
                KEY_COLUMNS,
                () -> sessions.get().stream().map(session -> new Row(session, nodeId)).toList());
    }
}
