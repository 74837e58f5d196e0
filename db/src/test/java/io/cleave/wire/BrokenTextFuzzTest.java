package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Broken texts against a running server: none of them may be answered with INTERNAL_ERROR or not
/// at all, and a good query still works afterwards. Broken messages are [RequestFuzzTest]'s.
class BrokenTextFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int TEXT_COUNT = Integer.getInteger("requests", 10_000);
    private static final int DEADLINE_SECONDS = 20;

    private static final List<String> TEXTS =
            List.of(
                    "SELECT series_id, title FROM series WHERE series_id = 1 AND title LIKE 'I%'",
                    "DECLARE $id AS Uint64; SELECT * FROM series WHERE series_id IN ($id, 2, 3);",
                    "UPSERT INTO series (series_id, title, rating) VALUES (1, \"One\"u, 1.5), (2,"
                            + " NULL, 2.5f)",
                    "INSERT INTO series SELECT series_id + 1 AS series_id, title FROM series",
                    "SELECT s.title AS t, COUNT(*) AS c, MAX(e.n) FROM series AS s INNER JOIN"
                            + " episodes AS e ON s.series_id = e.series_id GROUP BY s.title HAVING"
                            + " COUNT(*) > 0 ORDER BY t DESC LIMIT 10 OFFSET 1",
                    "$x = (SELECT 1 AS a); SELECT a + 1, CAST(a AS Utf8) || 'x'u FROM $x",
                    "UPDATE series SET rating = rating * 2 WHERE rating BETWEEN 1.0 AND 3.0",
                    "DELETE FROM episodes WHERE series_id = 1 AND n >= 5",
                    "CREATE TABLE `dir/t` (a Int32 NOT NULL, b Decimal(22,9), PRIMARY KEY (a)) WITH"
                            + " (UNIFORM_PARTITIONS = 2, TTL = Interval(\"P1D\") ON b)",
                    "ALTER TABLE series ADD COLUMN extra Timestamp, DROP COLUMN rating",
                    "SELECT ListMap([1, 2, 3], ($x) -> { RETURN $x * 2; }), <|a: 1, b: \"x\"|>,"
                            + " {1: 2}, Date('2020-01-01') + Interval('P1D')",
                    "PRAGMA TablePathPrefix = \"/local/dir\"; SELECT CASE WHEN 1 > 2 THEN 'a' ELSE"
                            + " 'b' END, Unwrap(Just(1)) ?? 2, -5 % 3, 1 / 0");

    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    private final String session = TestSessions.open(CHANNEL);

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    @Test
    void brokenTextsAreRefusedWithAStatus() {
        assertThat(
                        query(
                                "CREATE TABLE series (series_id Uint64, title Utf8, rating Double,"
                                        + " PRIMARY KEY (series_id)); CREATE TABLE episodes"
                                        + " (series_id Uint64, n Uint64, PRIMARY KEY (series_id,"
                                        + " n))"))
                .isEqualTo(StatusCode.SUCCESS);
        var random = new Random(SEED);
        for (int round = 0; round < TEXT_COUNT; round++) {
            String text = broken(TEXTS.get(random.nextInt(TEXTS.size())), random);
            StatusCode status = random.nextBoolean() ? dataQuery(text) : query(text);
            assertThat(status)
                    .as("-Dseed=%d, round %d: %s", SEED, round, text)
                    .isNotEqualTo(StatusCode.INTERNAL_ERROR)
                    .isNotEqualTo(StatusCode.BAD_SESSION)
                    .isNotEqualTo(StatusCode.STATUS_CODE_UNSPECIFIED);
        }
        assertThat(query("SELECT 1")).isEqualTo(StatusCode.SUCCESS);
        assertThat(dataQuery("SELECT 1")).isEqualTo(StatusCode.SUCCESS);
    }

    private static String broken(String text, Random random) {
        var broken = new StringBuilder(text);
        for (int change = 1 + random.nextInt(3); change > 0 && !broken.isEmpty(); change--) {
            int at = random.nextInt(broken.length());
            switch (random.nextInt(5)) {
                case 0 -> broken.deleteCharAt(at);
                case 1 -> broken.insert(at, (char) (32 + random.nextInt(95)));
                case 2 -> broken.setCharAt(at, (char) (1 + random.nextInt(0x2FF)));
                case 3 -> {
                    String other = TEXTS.get(random.nextInt(TEXTS.size()));
                    int from = random.nextInt(other.length());
                    int to = from + random.nextInt(other.length() - from);
                    broken.insert(at, other, from, to);
                }
                default -> broken.delete(at, Math.min(broken.length(), at + random.nextInt(20)));
            }
        }
        return broken.toString();
    }

    private StatusCode dataQuery(String text) {
        Operation operation =
                TableServiceGrpc.newBlockingStub(CHANNEL)
                        .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                        .executeDataQuery(dataRequest(text).build())
                        .getOperation();
        return operation.getStatus();
    }

    private YdbTable.ExecuteDataQueryRequest.Builder dataRequest(String text) {
        return YdbTable.ExecuteDataQueryRequest.newBuilder()
                .setSessionId(session)
                .setQuery(YdbTable.Query.newBuilder().setYqlText(text))
                .setTxControl(
                        YdbTable.TransactionControl.newBuilder()
                                .setBeginTx(
                                        YdbTable.TransactionSettings.newBuilder()
                                                .setSerializableReadWrite(
                                                        YdbTable.SerializableModeSettings
                                                                .getDefaultInstance()))
                                .setCommitTx(true));
    }

    private StatusCode query(String text) {
        Iterator<YdbQuery.ExecuteQueryResponsePart> parts =
                QueryServiceGrpc.newBlockingStub(CHANNEL)
                        .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                        .executeQuery(queryRequest(text));
        StatusCode status = StatusCode.STATUS_CODE_UNSPECIFIED;
        while (parts.hasNext()) {
            status = parts.next().getStatus();
        }
        return status;
    }

    private YdbQuery.ExecuteQueryRequest queryRequest(String text) {
        return YdbQuery.ExecuteQueryRequest.newBuilder()
                .setSessionId(session)
                .setExecMode(YdbQuery.ExecMode.EXEC_MODE_EXECUTE)
                .setQueryContent(
                        YdbQuery.QueryContent.newBuilder()
                                .setSyntax(YdbQuery.Syntax.SYNTAX_YQL_V1)
                                .setText(text))
                .build();
    }
}
