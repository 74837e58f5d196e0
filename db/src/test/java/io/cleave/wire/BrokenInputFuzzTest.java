package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryRequest;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Broken texts and broken messages against a running server: none of them may be answered with
/// INTERNAL_ERROR or not at all, and a good query still works afterwards.
class BrokenInputFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUNDS = 10_000;
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

    /// gRPC logs every message it cannot parse, with its stack.
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    private static Node node;
    private static ManagedChannel channel;
    private static String tableSession;
    private static String querySession;

    @BeforeAll
    static void start() throws Exception {
        GRPC_LOG.setLevel(Level.OFF);
        node = Node.start(NodeOptions.inMemory());
        channel =
                NettyChannelBuilder.forAddress("localhost", node.grpcPort()).usePlaintext().build();
        openSessions();
        scheme(
                "CREATE TABLE series (series_id Uint64, title Utf8, rating Double, PRIMARY KEY"
                    + " (series_id)); CREATE TABLE episodes (series_id Uint64, n Uint64, PRIMARY"
                    + " KEY (series_id, n))");
    }

    @AfterAll
    static void stop() {
        channel.shutdownNow();
        node.close();
    }

    @Test
    void brokenTextsAreRefusedWithAStatus() {
        var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            String text = broken(TEXTS.get(random.nextInt(TEXTS.size())), random);
            StatusCode status = random.nextBoolean() ? dataQuery(text) : query(text);
            assertThat(status)
                    .as("-Dseed=%d, round %d: %s", SEED, round, text)
                    .isNotEqualTo(StatusCode.INTERNAL_ERROR)
                    .isNotEqualTo(StatusCode.STATUS_CODE_UNSPECIFIED);
            if (status == StatusCode.BAD_SESSION || status == StatusCode.SESSION_BUSY) {
                openSessions();
            }
        }
        assertThat(query("SELECT 1")).isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void brokenMessagesAreRefusedWithAStatus() throws Exception {
        var random = new Random(SEED);
        List<Call> calls = calls();
        for (int round = 0; round < ROUNDS; round++) {
            Call call = calls.get(random.nextInt(calls.size()));
            byte[] bytes = broken(call.request().toByteArray(), random);
            send(call, bytes, round);
        }
        openSessions();
        assertThat(query("SELECT 1")).isEqualTo(StatusCode.SUCCESS);
        assertThat(dataQuery("SELECT 1")).isEqualTo(StatusCode.SUCCESS);
    }

    /// A method with a good request for it.
    private record Call(MethodDescriptor<?, ?> method, Message request) {}

    private static List<Call> calls() {
        var keys =
                TypedValue.newBuilder()
                        .setType(
                                Type.newBuilder()
                                        .setListType(ListType.newBuilder().setItem(structType())))
                        .setValue(
                                Value.newBuilder()
                                        .addItems(
                                                Value.newBuilder()
                                                        .addItems(
                                                                Value.newBuilder()
                                                                        .setUint64Value(1))))
                        .build();
        List<Call> calls = new ArrayList<>();
        calls.add(
                new Call(
                        TableServiceGrpc.getExecuteDataQueryMethod(),
                        dataRequest(TEXTS.get(1))
                                .putParameters(
                                        "$id",
                                        TypedValue.newBuilder()
                                                .setType(
                                                        Type.newBuilder()
                                                                .setTypeId(
                                                                        Type.PrimitiveTypeId
                                                                                .UINT64))
                                                .setValue(Value.newBuilder().setUint64Value(1))
                                                .build())
                                .build()));
        calls.add(new Call(QueryServiceGrpc.getExecuteQueryMethod(), queryRequest(TEXTS.get(2))));
        calls.add(
                new Call(
                        TableServiceGrpc.getBulkUpsertMethod(),
                        YdbTable.BulkUpsertRequest.newBuilder()
                                .setTable("/local/series")
                                .setRows(keys)
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getReadRowsMethod(),
                        YdbTable.ReadRowsRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setPath("/local/series")
                                .setKeys(keys)
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getStreamReadTableMethod(),
                        YdbTable.ReadTableRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setPath("/local/series")
                                .addColumns("title")
                                .setOrdered(true)
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getDescribeTableMethod(),
                        YdbTable.DescribeTableRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setPath("/local/series")
                                .setIncludeTableStats(true)
                                .setIncludeShardKeyBounds(true)
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getCreateTableMethod(),
                        YdbTable.CreateTableRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setPath("/local/dir/made")
                                .addColumns(
                                        YdbTable.ColumnMeta.newBuilder()
                                                .setName("k")
                                                .setType(
                                                        Type.newBuilder()
                                                                .setTypeId(
                                                                        Type.PrimitiveTypeId
                                                                                .UINT32)))
                                .addPrimaryKey("k")
                                .setUniformPartitions(2)
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getAlterTableMethod(),
                        YdbTable.AlterTableRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setPath("/local/episodes")
                                .addDropColumns("x")
                                .build()));
        calls.add(
                new Call(
                        TableServiceGrpc.getPrepareDataQueryMethod(),
                        YdbTable.PrepareDataQueryRequest.newBuilder()
                                .setSessionId(tableSession)
                                .setYqlText(TEXTS.getFirst())
                                .build()));
        calls.add(
                new Call(
                        SchemeServiceGrpc.getMakeDirectoryMethod(),
                        MakeDirectoryRequest.newBuilder().setPath("/local/d/e").build()));
        calls.add(
                new Call(
                        SchemeServiceGrpc.getListDirectoryMethod(),
                        ListDirectoryRequest.newBuilder().setPath("/local").build()));
        calls.add(
                new Call(
                        SchemeServiceGrpc.getDescribePathMethod(),
                        DescribePathRequest.newBuilder().setPath("/local/series").build()));
        calls.add(
                new Call(
                        DiscoveryServiceGrpc.getListEndpointsMethod(),
                        ListEndpointsRequest.newBuilder().setDatabase("/local").build()));
        return calls;
    }

    private static Type structType() {
        return Type.newBuilder()
                .setStructType(
                        StructType.newBuilder()
                                .addMembers(
                                        StructMember.newBuilder()
                                                .setName("series_id")
                                                .setType(
                                                        Type.newBuilder()
                                                                .setTypeId(
                                                                        Type.PrimitiveTypeId
                                                                                .UINT64))))
                .build();
    }

    /// Sends the bytes as they are. Bytes that are no message at all are refused by gRPC itself;
    /// everything else must come back with a status of ours.
    private static void send(Call call, byte[] bytes, int round) throws Exception {
        boolean parses = parses(call.request(), bytes);
        MethodDescriptor<byte[], Message> raw =
                MethodDescriptor.<byte[], Message>newBuilder()
                        .setType(call.method().getType())
                        .setFullMethodName(call.method().getFullMethodName())
                        .setRequestMarshaller(new RawMarshaller())
                        .setResponseMarshaller(ProtoUtils.marshaller(responseOf(call.method())))
                        .build();
        try {
            Iterator<Message> answers =
                    ClientCalls.blockingServerStreamingCall(
                            channel,
                            raw,
                            CallOptions.DEFAULT.withDeadlineAfter(
                                    DEADLINE_SECONDS, TimeUnit.SECONDS),
                            bytes);
            while (answers.hasNext()) {
                String answer = answers.next().toString();
                assertThat(answer)
                        .as("-Dseed=%d, round %d, %s", SEED, round, call.method())
                        .doesNotContain("INTERNAL_ERROR");
            }
        } catch (StatusRuntimeException e) {
            assertThat(parses && e.getStatus().getCode() != io.grpc.Status.Code.UNIMPLEMENTED)
                    .as("-Dseed=%d, round %d, %s: %s", SEED, round, call.method(), e)
                    .isFalse();
        }
    }

    private static boolean parses(Message request, byte[] bytes) {
        try {
            request.getParserForType().parseFrom(bytes);
            return true;
        } catch (InvalidProtocolBufferException e) {
            return false;
        }
    }

    private static Message responseOf(MethodDescriptor<?, ?> method) {
        assertThat(method.getSchemaDescriptor()).isInstanceOf(ProtoMethodDescriptorSupplier.class);
        return (Message)
                ((MethodDescriptor.PrototypeMarshaller<?>) method.getResponseMarshaller())
                        .getMessagePrototype();
    }

    private static final class RawMarshaller implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            throw new UnsupportedOperationException("only sent, never received");
        }
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

    private static byte[] broken(byte[] message, Random random) {
        ByteString bytes = ByteString.copyFrom(message);
        for (int change = 1 + random.nextInt(4); change > 0 && !bytes.isEmpty(); change--) {
            int at = random.nextInt(bytes.size());
            byte[] noise = new byte[random.nextInt(4)];
            random.nextBytes(noise);
            int to = Math.min(bytes.size(), at + random.nextInt(3));
            bytes =
                    bytes.substring(0, at)
                            .concat(ByteString.copyFrom(noise))
                            .concat(bytes.substring(to));
        }
        return bytes.toByteArray();
    }

    private static StatusCode dataQuery(String text) {
        Operation operation =
                TableServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                        .executeDataQuery(dataRequest(text).build())
                        .getOperation();
        return operation.getStatus();
    }

    private static YdbTable.ExecuteDataQueryRequest.Builder dataRequest(String text) {
        return YdbTable.ExecuteDataQueryRequest.newBuilder()
                .setSessionId(tableSession)
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

    private static StatusCode query(String text) {
        Iterator<YdbQuery.ExecuteQueryResponsePart> parts =
                QueryServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                        .executeQuery(queryRequest(text));
        StatusCode status = StatusCode.STATUS_CODE_UNSPECIFIED;
        while (parts.hasNext()) {
            status = parts.next().getStatus();
        }
        return status;
    }

    private static YdbQuery.ExecuteQueryRequest queryRequest(String text) {
        return YdbQuery.ExecuteQueryRequest.newBuilder()
                .setSessionId(querySession)
                .setExecMode(YdbQuery.ExecMode.EXEC_MODE_EXECUTE)
                .setQueryContent(
                        YdbQuery.QueryContent.newBuilder()
                                .setSyntax(YdbQuery.Syntax.SYNTAX_YQL_V1)
                                .setText(text))
                .build();
    }

    private static void scheme(String text) {
        StatusCode status =
                TableServiceGrpc.newBlockingStub(channel)
                        .executeSchemeQuery(
                                YdbTable.ExecuteSchemeQueryRequest.newBuilder()
                                        .setSessionId(tableSession)
                                        .setYqlText(text)
                                        .build())
                        .getOperation()
                        .getStatus();
        assertThat(status).isEqualTo(StatusCode.SUCCESS);
    }

    private static void openSessions() {
        try {
            tableSession =
                    TableServiceGrpc.newBlockingStub(channel)
                            .createSession(YdbTable.CreateSessionRequest.getDefaultInstance())
                            .getOperation()
                            .getResult()
                            .unpack(YdbTable.CreateSessionResult.class)
                            .getSessionId();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
        querySession =
                QueryServiceGrpc.newBlockingStub(channel)
                        .createSession(YdbQuery.CreateSessionRequest.getDefaultInstance())
                        .getSessionId();
    }
}
