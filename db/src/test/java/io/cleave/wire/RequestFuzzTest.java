package io.cleave.wire;

import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.ProtoValues;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.SchemeOperationProtos;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.scripting.ScriptingProtos;
import tech.ydb.proto.scripting.v1.ScriptingServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Almost right requests to every call: none crashes, hangs or is an INTERNAL_ERROR, and then a
/// good one still answers.
class RequestFuzzTest {
    private static final int REQUESTS = Integer.getInteger("requests", 10_000);
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final String session = newSession();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static String newSession() {
        return TestSessions.open(CHANNEL);
    }

    private record Template(MethodDescriptor<?, ?> method, Message request) {}

    private List<Template> templates() {
        ValueProtos.TypedValue number = ProtoValues.toTypedProto(Primitive.UINT64, Value.of(1));
        ValueProtos.TypedValue rows =
                ProtoValues.toTypedProto(
                        new Type.ListOf(
                                new Type.Struct(
                                        List.of(
                                                new Type.Member("id", Primitive.UINT64),
                                                new Type.Member(
                                                        "name", Primitive.UTF8.optional())))),
                        Value.items(
                                List.of(Value.items(List.of(Value.of(5), Value.text("five"))))));
        ValueProtos.TypedValue keys =
                ProtoValues.toTypedProto(
                        new Type.ListOf(
                                new Type.Struct(List.of(new Type.Member("id", Primitive.UINT64)))),
                        Value.items(List.of(Value.items(List.of(Value.of(5))))));
        ValueProtos.TypedValue tuple =
                ProtoValues.toTypedProto(
                        new Type.Tuple(List.of(Primitive.UINT64.optional())),
                        Value.items(List.of(Value.of(5))));
        var serializable =
                YdbTable.TransactionControl.newBuilder()
                        .setCommitTx(true)
                        .setBeginTx(
                                YdbTable.TransactionSettings.newBuilder()
                                        .setSerializableReadWrite(
                                                YdbTable.SerializableModeSettings
                                                        .getDefaultInstance()));
        List<Template> templates = new ArrayList<>();
        templates.add(
                new Template(
                        QueryServiceGrpc.getExecuteQueryMethod(),
                        YdbQuery.ExecuteQueryRequest.newBuilder()
                                .setSessionId(session)
                                .setExecMode(YdbQuery.ExecMode.EXEC_MODE_EXECUTE)
                                .setQueryContent(
                                        YdbQuery.QueryContent.newBuilder()
                                                .setText("SELECT * FROM t WHERE id = $id"))
                                .putParameters("$id", number)
                                .putParameters("$rows", rows)
                                .build()));
        templates.add(
                new Template(
                        QueryServiceGrpc.getExecuteScriptMethod(),
                        YdbQuery.ExecuteScriptRequest.newBuilder()
                                .setExecMode(YdbQuery.ExecMode.EXEC_MODE_EXECUTE)
                                .setScriptContent(
                                        YdbQuery.QueryContent.newBuilder().setText("SELECT 1"))
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getExecuteDataQueryMethod(),
                        YdbTable.ExecuteDataQueryRequest.newBuilder()
                                .setSessionId(session)
                                .setTxControl(serializable)
                                .setQuery(
                                        YdbTable.Query.newBuilder()
                                                .setYqlText(
                                                        "UPSERT INTO t SELECT * FROM"
                                                                + " AS_TABLE($rows)"))
                                .putParameters("$rows", rows)
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getBulkUpsertMethod(),
                        YdbTable.BulkUpsertRequest.newBuilder()
                                .setTable("/local/t")
                                .setRows(rows)
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getReadRowsMethod(),
                        YdbTable.ReadRowsRequest.newBuilder()
                                .setPath("/local/t")
                                .setKeys(keys)
                                .addColumns("name")
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getStreamReadTableMethod(),
                        YdbTable.ReadTableRequest.newBuilder()
                                .setSessionId(session)
                                .setPath("/local/t")
                                .setKeyRange(
                                        YdbTable.KeyRange.newBuilder()
                                                .setGreater(tuple)
                                                .setLessOrEqual(tuple))
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getStreamExecuteScanQueryMethod(),
                        YdbTable.ExecuteScanQueryRequest.newBuilder()
                                .setMode(YdbTable.ExecuteScanQueryRequest.Mode.MODE_EXEC)
                                .setQuery(YdbTable.Query.newBuilder().setYqlText("SELECT * FROM t"))
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getCreateTableMethod(),
                        YdbTable.CreateTableRequest.newBuilder()
                                .setSessionId(session)
                                .setPath("/local/made")
                                .addColumns(column("id", Primitive.UINT64))
                                .addColumns(column("at", Primitive.TIMESTAMP.optional()))
                                .addPrimaryKey("id")
                                .setUniformPartitions(3)
                                .setPartitionAtKeys(
                                        YdbTable.ExplicitPartitions.newBuilder()
                                                .addSplitPoints(tuple))
                                .setTtlSettings(
                                        YdbTable.TtlSettings.newBuilder()
                                                .setDateTypeColumn(
                                                        YdbTable.DateTypeColumnModeSettings
                                                                .newBuilder()
                                                                .setColumnName("at")))
                                .build()));
        templates.add(
                new Template(
                        TableServiceGrpc.getAlterTableMethod(),
                        YdbTable.AlterTableRequest.newBuilder()
                                .setSessionId(session)
                                .setPath("/local/made")
                                .addAddColumns(column("extra", Primitive.INT32.optional()))
                                .addDropColumns("at")
                                .build()));
        for (var method :
                List.of(
                        TableServiceGrpc.getDescribeTableMethod(),
                        TableServiceGrpc.getDropTableMethod(),
                        TableServiceGrpc.getPrepareDataQueryMethod(),
                        TableServiceGrpc.getExplainDataQueryMethod(),
                        TableServiceGrpc.getExecuteSchemeQueryMethod(),
                        TableServiceGrpc.getBeginTransactionMethod(),
                        TableServiceGrpc.getCommitTransactionMethod(),
                        TableServiceGrpc.getRollbackTransactionMethod(),
                        TableServiceGrpc.getKeepAliveMethod(),
                        TableServiceGrpc.getRenameTablesMethod(),
                        TableServiceGrpc.getCopyTablesMethod(),
                        TableServiceGrpc.getDescribeTableOptionsMethod(),
                        QueryServiceGrpc.getBeginTransactionMethod(),
                        QueryServiceGrpc.getCommitTransactionMethod(),
                        QueryServiceGrpc.getRollbackTransactionMethod(),
                        QueryServiceGrpc.getFetchScriptResultsMethod(),
                        SchemeServiceGrpc.getDescribePathMethod(),
                        SchemeServiceGrpc.getRemoveDirectoryMethod())) {
            templates.add(new Template(method, empty(method)));
        }
        templates.add(
                new Template(
                        SchemeServiceGrpc.getMakeDirectoryMethod(),
                        SchemeOperationProtos.MakeDirectoryRequest.newBuilder()
                                .setPath("/local/dir")
                                .build()));
        templates.add(
                new Template(
                        SchemeServiceGrpc.getListDirectoryMethod(),
                        SchemeOperationProtos.ListDirectoryRequest.newBuilder()
                                .setPath("/local")
                                .build()));
        templates.add(
                new Template(
                        ScriptingServiceGrpc.getExecuteYqlMethod(),
                        ScriptingProtos.ExecuteYqlRequest.newBuilder()
                                .setScript("SELECT $id")
                                .putParameters("$id", number)
                                .build()));
        templates.add(
                new Template(
                        tech.ydb.proto.operation.v1.OperationServiceGrpc.getGetOperationMethod(),
                        GetOperationRequest.newBuilder().setId("x").build()));
        return templates;
    }

    private static YdbTable.ColumnMeta column(String name, Type type) {
        return YdbTable.ColumnMeta.newBuilder()
                .setName(name)
                .setType(ProtoTypes.toProto(type))
                .build();
    }

    private static Message empty(MethodDescriptor<?, ?> method) {
        var marshaller = (MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller();
        return (Message) Objects.requireNonNull(marshaller.getMessagePrototype());
    }

    @Test
    void almostRightRequestsAreAnswered() throws InterruptedException {
        TestSessions.run(
                CHANNEL,
                session,
                "CREATE TABLE t (id Uint64 NOT NULL, name Text, PRIMARY KEY (id))");
        List<String> words =
                List.of(
                        session,
                        "/local/t",
                        "/local",
                        "/local/made",
                        "/",
                        "",
                        "id",
                        "name",
                        "t",
                        "$id",
                        "default",
                        "SELECT * FROM t",
                        "UPSERT INTO t (id) VALUES (1ul)",
                        "CREATE TABLE made (id Int32, PRIMARY KEY (id))",
                        "SELECT $id, $rows");
        MutatedRequests mutations = new MutatedRequests(random, words);
        List<Template> templates = templates();
        for (int count = 0; count < REQUESTS; count++) {
            Template template = templates.get(random.nextInt(templates.size()));
            byte[] request =
                    random.nextInt(5) == 0
                            ? mutations.mutateBytes(template.request())
                            : mutations.mutate(template.request()).toByteArray();
            send(template, request);
        }
        TestSessions.run(CHANNEL, newSession(), "SELECT 1");
    }

    private void send(Template template, byte[] request) throws InterruptedException {
        var method =
                MethodDescriptor.<byte[], byte[]>newBuilder()
                        .setType(template.method().getType())
                        .setFullMethodName(template.method().getFullMethodName())
                        .setRequestMarshaller(new Raw())
                        .setResponseMarshaller(new Raw())
                        .build();
        Replies replies = new Replies(template, request);
        var call =
                CHANNEL.newCall(
                        method, CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS));
        call.start(replies, new Metadata());
        call.request(1000);
        call.sendMessage(request);
        call.halfClose();
        replies.check();
    }

    private final class Replies extends io.grpc.ClientCall.Listener<byte[]> {
        private final Template template;
        private final byte[] request;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final List<byte[]> messages = new ArrayList<>();
        private Status status = Status.OK;

        Replies(Template template, byte[] request) {
            this.template = template;
            this.request = request;
        }

        @Override
        public void onMessage(byte[] message) {
            messages.add(message);
        }

        @Override
        public void onClose(Status closedWith, Metadata trailers) {
            status = closedWith;
            closed.countDown();
        }

        void check() throws InterruptedException {
            closed.await();
            boolean broken =
                    status.getCode() == Status.Code.UNKNOWN
                            || status.getCode() == Status.Code.DEADLINE_EXCEEDED
                            || status.getCode() == Status.Code.UNAVAILABLE;
            for (byte[] message : messages) {
                broken |=
                        mayHoldInternalError(message)
                                && parsed(message).toString().contains("INTERNAL_ERROR");
            }
            if (broken) {
                fail(
                        "-Dseed=%d %s %s%n%s",
                        seed, template.method().getFullMethodName(), status, sent());
            }
        }

        /// Reading every reply as text would take most of the test's time.
        private boolean mayHoldInternalError(byte[] message) {
            ByteString varint = ByteString.copyFrom(new byte[] {(byte) 0x9E, (byte) 0xB5, 0x18});
            ByteString bytes = ByteString.copyFrom(message);
            for (int at = 0; at + varint.size() <= bytes.size(); at++) {
                if (bytes.substring(at).startsWith(varint)) {
                    return true;
                }
            }
            return false;
        }

        private String sent() {
            try {
                return DynamicMessage.parseFrom(template.request().getDescriptorForType(), request)
                        .toString();
            } catch (IOException unreadable) {
                return java.util.HexFormat.of().formatHex(request);
            }
        }

        private Message parsed(byte[] message) {
            var marshaller =
                    (MethodDescriptor.PrototypeMarshaller<?>)
                            template.method().getResponseMarshaller();
            try {
                return ((Message) Objects.requireNonNull(marshaller.getMessagePrototype()))
                        .newBuilderForType()
                        .mergeFrom(message)
                        .build();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
