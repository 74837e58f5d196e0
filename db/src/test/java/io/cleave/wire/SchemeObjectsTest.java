package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;

import io.cleave.value.Type.Primitive;
import io.cleave.wire.value.ProtoTypes;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.Permissions;
import tech.ydb.proto.scheme.SchemeOperationProtos.PermissionsAction;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.YdbTable.TableStats;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.util.List;

/// Views, serial columns and permissions as clients see them described.
class SchemeObjectsTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static void run(String text) {
        TestSessions.run(CHANNEL, TestSessions.open(CHANNEL), text);
    }

    private static Operation describe(String table) {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .describeTable(DescribeTableRequest.newBuilder().setPath("/local/" + table).build())
                .getOperation();
    }

    private static ColumnMeta column(String table, String name)
            throws InvalidProtocolBufferException {
        return describe(table)
                .getResult()
                .unpack(DescribeTableResult.class)
                .getColumnsList()
                .stream()
                .filter(column -> column.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Entry entry(String path) throws InvalidProtocolBufferException {
        return SchemeServiceGrpc.newBlockingStub(CHANNEL)
                .describePath(DescribePathRequest.newBuilder().setPath(path).build())
                .getOperation()
                .getResult()
                .unpack(DescribePathResult.class)
                .getSelf();
    }

    @Test
    void aSerialColumnIsDescribedWithItsSequence() throws Exception {
        run("CREATE TABLE serial (id Serial, n SmallSerial, v Utf8 DEFAULT 'x', PRIMARY KEY (id))");
        assertThat(column("serial", "id").getNotNull()).isTrue();
        SequenceDescription sequence = column("serial", "id").getFromSequence();
        assertThat(sequence.getName()).isEqualTo("_serial_column_id");
        assertThat(sequence.getStartValue()).isEqualTo(1);
        assertThat(sequence.getMinValue()).isEqualTo(1);
        assertThat(sequence.getIncrement()).isEqualTo(1);
        assertThat(sequence.getMaxValue()).isEqualTo(Integer.MAX_VALUE);
        assertThat(column("serial", "n").getFromSequence().getMaxValue()).isEqualTo(32767);
        assertThat(column("serial", "v").hasFromLiteral()).isTrue();
        run("ALTER SEQUENCE `/local/serial/_serial_column_id` START WITH 5 INCREMENT BY 3");
        assertThat(column("serial", "id").getFromSequence().getStartValue()).isEqualTo(5);
        assertThat(column("serial", "id").getFromSequence().getIncrement()).isEqualTo(3);
    }

    @Test
    void aSequenceIsDescribedAsItWasSent() throws Exception {
        SequenceDescription sent =
                SequenceDescription.newBuilder()
                        .setName("numbers")
                        .setMinValue(10)
                        .setMaxValue(Long.MAX_VALUE)
                        .setStartValue(12)
                        .setIncrement(2)
                        .setCache(5)
                        .setCycle(true)
                        .build();
        assertThat(create("counted", sent)).isEqualTo(StatusCode.SUCCESS);
        assertThat(column("counted", "id").getFromSequence()).isEqualTo(sent);
        assertThat(position("counted", "id")).isEqualTo("12 false");
        run("ALTER SEQUENCE `/local/counted/numbers` RESTART WITH 2147483647");
        run("INSERT INTO counted (v) VALUES ('a'), ('b')");
        assertThat(position("counted", "id")).isEqualTo("12 false");
        assertThat(create("other", sent.toBuilder().setName("a/b").build()))
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    private static StatusCode create(String table, SequenceDescription sequence) {
        var number = Type.newBuilder().setTypeId(Type.PrimitiveTypeId.INT32);
        var text = Type.newBuilder().setTypeId(Type.PrimitiveTypeId.UTF8);
        var optional = Type.newBuilder().setOptionalType(OptionalType.newBuilder().setItem(text));
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .createTable(
                        CreateTableRequest.newBuilder()
                                .setSessionId(TestSessions.open(CHANNEL))
                                .setPath("/local/" + table)
                                .addColumns(
                                        ColumnMeta.newBuilder()
                                                .setName("id")
                                                .setType(number)
                                                .setFromSequence(sequence))
                                .addColumns(ColumnMeta.newBuilder().setName("v").setType(optional))
                                .addPrimaryKey("id")
                                .build())
                .getOperation()
                .getStatus();
    }

    @Test
    void theNextNumbersOfSequencesAreDescribedWhenTheyAreAskedFor() throws Exception {
        run("CREATE TABLE numbered (id Serial, n SmallSerial, v Utf8, PRIMARY KEY (id))");
        assertThat(column("numbered", "id").getFromSequence().hasSetVal()).isFalse();
        assertThat(position("numbered", "id")).isEqualTo("1 false");
        run("INSERT INTO numbered (v) VALUES ('a'), ('b')");
        assertThat(position("numbered", "id")).isEqualTo("3 false");
        run("ALTER SEQUENCE `/local/numbered/_serial_column_n` RESTART WITH 32767");
        assertThat(position("numbered", "n")).isEqualTo("32767 false");
        run("INSERT INTO numbered (v) VALUES ('c')");
        assertThat(position("numbered", "n")).isEqualTo("32767 true");
        assertThat(position("numbered", "id")).isEqualTo("4 false");
    }

    /// The next value, and whether it is taken.
    private static String position(String table, String name)
            throws InvalidProtocolBufferException {
        DescribeTableResult result =
                TableServiceGrpc.newBlockingStub(CHANNEL)
                        .describeTable(
                                DescribeTableRequest.newBuilder()
                                        .setPath("/local/" + table)
                                        .setUnknownFields(
                                                UnknownFieldSet.newBuilder()
                                                        .mergeVarintField(
                                                                TableSchemes.INCLUDE_SET_VAL, 1)
                                                        .build())
                                        .build())
                        .getOperation()
                        .getResult()
                        .unpack(DescribeTableResult.class);
        SequenceDescription.SetVal position =
                result.getColumnsList().stream()
                        .filter(column -> column.getName().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .getFromSequence()
                        .getSetVal();
        return position.getNextValue() + " " + position.getNextUsed();
    }

    @Test
    void aTableThatNobodyHasWrittenToHasNoTimeOfModification() throws Exception {
        run("CREATE TABLE unwritten (id Uint64, PRIMARY KEY (id))");
        assertThat(stats("unwritten").hasCreationTime()).isTrue();
        assertThat(stats("unwritten").hasModificationTime()).isFalse();
        run("UPSERT INTO unwritten (id) VALUES (1)");
        TableStats written = stats("unwritten");
        assertThat(written.getModificationTime().getSeconds())
                .isGreaterThanOrEqualTo(written.getCreationTime().getSeconds());
    }

    private static TableStats stats(String table) throws InvalidProtocolBufferException {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .describeTable(
                        DescribeTableRequest.newBuilder()
                                .setPath("/local/" + table)
                                .setIncludeTableStats(true)
                                .build())
                .getOperation()
                .getResult()
                .unpack(DescribeTableResult.class)
                .getTableStats();
    }

    @Test
    void aTableWithASequenceIsMadeByTheCallToo() throws Exception {
        ColumnMeta.Builder id =
                ColumnMeta.newBuilder()
                        .setName("id")
                        .setType(ProtoTypes.toProto(Primitive.INT64))
                        .setFromSequence(SequenceDescription.newBuilder().setStartValue(100));
        CreateTableRequest.Builder request =
                CreateTableRequest.newBuilder()
                        .setPath("/local/called")
                        .addColumns(id)
                        .addColumns(
                                ColumnMeta.newBuilder()
                                        .setName("v")
                                        .setType(ProtoTypes.toProto(Primitive.UTF8.optional())))
                        .addPrimaryKey("id");
        assertThat(create(request)).isEqualTo(StatusCode.SUCCESS);
        run("INSERT INTO called (v) VALUES ('a')");
        run("UPSERT INTO called (id, v) SELECT id + 1 AS id, v FROM called WHERE id = 100");
        assertThat(column("called", "id").getFromSequence().getStartValue()).isEqualTo(100);
        id.getFromSequenceBuilder().setIncrement(0);
        assertThat(create(request.setPath("/local/zero").setColumns(0, id)))
                .isEqualTo(StatusCode.BAD_REQUEST);
        id.setType(ProtoTypes.toProto(Primitive.UTF8)).getFromSequenceBuilder().setIncrement(1);
        assertThat(create(request.setColumns(0, id))).isEqualTo(StatusCode.BAD_REQUEST);
    }

    private static StatusCode create(CreateTableRequest.Builder request) {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .createTable(request.build())
                .getOperation()
                .getStatus();
    }

    @Test
    void aViewIsListedAndDescribedWithoutColumns() throws Exception {
        run("CREATE VIEW `views/v` WITH (security_invoker = TRUE) AS SELECT 1 AS one");
        assertThat(entry("/local/views/v").getType()).isEqualTo(Entry.Type.VIEW);
        assertThat(entry("/local/views/v").getName()).isEqualTo("v");
        ListDirectoryResult listed =
                SchemeServiceGrpc.newBlockingStub(CHANNEL)
                        .listDirectory(
                                ListDirectoryRequest.newBuilder().setPath("/local/views").build())
                        .getOperation()
                        .getResult()
                        .unpack(ListDirectoryResult.class);
        assertThat(listed.getChildrenList())
                .extracting(Entry::getType)
                .containsExactly(Entry.Type.VIEW);
        Operation described = describe("views/v");
        DescribeTableResult table = described.getResult().unpack(DescribeTableResult.class);
        assertThat(table.getSelf().getType()).isEqualTo(Entry.Type.VIEW);
        assertThat(table.getColumnsList()).isEmpty();
    }

    @Test
    void permissionsAreDescribedWithThoseFromAbove() throws Exception {
        run("CREATE TABLE `granted/t` (k Int32, PRIMARY KEY (k))");
        assertThat(entry("/local/granted/t").getOwner()).isEqualTo("root@builtin");
        assertThat(
                        modify(
                                ModifyPermissionsRequest.newBuilder()
                                        .setPath("/local/granted")
                                        .addActions(grant("anna", "ydb.generic.list"))
                                        .addActions(
                                                PermissionsAction.newBuilder()
                                                        .setChangeOwner("bert"))))
                .isEqualTo(StatusCode.SUCCESS);
        run("GRANT SELECT ON `granted/t` TO anna, carla");
        assertThat(entry("/local/granted").getOwner()).isEqualTo("bert");
        Entry table = entry("/local/granted/t");
        assertThat(table.getPermissionsList())
                .containsExactly(
                        permissions("anna", "ydb.generic.read"),
                        permissions("carla", "ydb.generic.read"));
        assertThat(table.getEffectivePermissionsList())
                .containsExactly(
                        permissions("anna", "ydb.generic.list", "ydb.generic.read"),
                        permissions("carla", "ydb.generic.read"));
        modify(
                ModifyPermissionsRequest.newBuilder()
                        .setPath("granted/t")
                        .setInterruptInheritance(true)
                        .setClearPermissions(true)
                        .addActions(
                                PermissionsAction.newBuilder()
                                        .setSet(permissions("dora", "ydb.generic.full"))));
        assertThat(entry("/local/granted/t").getEffectivePermissionsList())
                .containsExactly(permissions("dora", "ydb.generic.full"));
        assertThat(modify(ModifyPermissionsRequest.newBuilder().setPath("/local/granted/none")))
                .isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(
                        modify(
                                ModifyPermissionsRequest.newBuilder()
                                        .setPath("/local/granted")
                                        .addActions(grant("anna", "everything"))))
                .isEqualTo(StatusCode.BAD_REQUEST);
    }

    private static PermissionsAction grant(String subject, String name) {
        return PermissionsAction.newBuilder().setGrant(permissions(subject, name)).build();
    }

    private static Permissions permissions(String subject, String... names) {
        return Permissions.newBuilder()
                .setSubject(subject)
                .addAllPermissionNames(List.of(names))
                .build();
    }

    private static StatusCode modify(ModifyPermissionsRequest.Builder request) {
        return SchemeServiceGrpc.newBlockingStub(CHANNEL)
                .modifyPermissions(request.build())
                .getOperation()
                .getStatus();
    }
}
