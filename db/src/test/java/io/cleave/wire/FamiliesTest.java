package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnFamily;
import tech.ydb.proto.table.YdbTable.ColumnFamily.Compression;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.StoragePool;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.IOException;

/// Column families and the key filter as clients see them, through SQL and through AlterTable.
class FamiliesTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static Operation alter(AlterTableRequest.Builder request) {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .alterTable(request.setPath("/local/t").build())
                .getOperation();
    }

    private static DescribeTableResult describe() throws IOException {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .describeTable(DescribeTableRequest.newBuilder().setPath("/local/t").build())
                .getOperation()
                .getResult()
                .unpack(DescribeTableResult.class);
    }

    private static ColumnFamily.Builder family(String name, Compression compression) {
        return ColumnFamily.newBuilder().setName(name).setCompression(compression);
    }

    @Test
    void familiesAreDescribedAsTheyAreNow() throws IOException {
        String session = TestSessions.open(CHANNEL);
        TestSessions.run(
                CHANNEL,
                session,
                """
                CREATE TABLE t (k Uint64, v Utf8 FAMILY big, w Utf8, PRIMARY KEY (k),
                    FAMILY big (DATA = 'ssd', COMPRESSION = 'lz4', CACHE_MODE = 'in_memory'))
                """);
        ColumnFamily usual = family("default", Compression.COMPRESSION_NONE).build();
        ColumnFamily big =
                family("big", Compression.COMPRESSION_LZ4)
                        .setData(StoragePool.newBuilder().setMedia("ssd"))
                        .setKeepInMemory(FeatureFlag.Status.ENABLED)
                        .build();
        assertThat(describe().getColumnFamiliesList()).containsExactly(usual, big);
        assertThat(describe().getColumnsList())
                .extracting(ColumnMeta::getFamily)
                .containsExactly("", "big", "");
        assertThat(describe().getKeyBloomFilter()).isEqualTo(FeatureFlag.Status.STATUS_UNSPECIFIED);

        Operation altered =
                alter(
                        AlterTableRequest.newBuilder()
                                .addAlterColumnFamilies(
                                        family("default", Compression.COMPRESSION_LZ4))
                                .addAlterColumnFamilies(
                                        ColumnFamily.newBuilder()
                                                .setName("big")
                                                .setKeepInMemory(FeatureFlag.Status.DISABLED))
                                .addAddColumnFamilies(family("more", Compression.COMPRESSION_NONE))
                                .addAlterColumns(
                                        ColumnMeta.newBuilder().setName("w").setFamily("more"))
                                .setSetKeyBloomFilter(FeatureFlag.Status.ENABLED));
        assertThat(altered.getStatus()).as(altered.toString()).isEqualTo(StatusCode.SUCCESS);
        assertThat(describe().getColumnFamiliesList())
                .containsExactly(
                        family("default", Compression.COMPRESSION_LZ4).build(),
                        big.toBuilder().clearKeepInMemory().build(),
                        family("more", Compression.COMPRESSION_NONE).build());
        assertThat(describe().getColumns(2).getFamily()).isEqualTo("more");
        assertThat(describe().getKeyBloomFilter()).isEqualTo(FeatureFlag.Status.ENABLED);

        Operation refused =
                alter(
                        AlterTableRequest.newBuilder()
                                .addAddColumnFamilies(
                                        ColumnFamily.newBuilder()
                                                .setName("far")
                                                .setData(
                                                        StoragePool.newBuilder().setMedia("rot"))));
        assertThat(refused.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(refused.getIssues(0).getMessage())
                .isEqualTo("Unknown medium 'rot' of column family 'far', there are: ssd");
        assertThat(describe().getColumnFamiliesCount()).isEqualTo(3);

        ResultSet storage =
                TestSessions.run(
                                CHANNEL,
                                session,
                                """
                                SELECT Family, Compression, KeyFilter
                                FROM `.sys/table_storage` WHERE Path = '/local/t'
                                """)
                        .getFirst()
                        .getResultSet();
        assertThat(storage.getRowsList())
                .extracting(row -> row.getItems(0).getTextValue())
                .containsExactly("big", "default", "more");
        assertThat(storage.getRows(1).getItems(1).getTextValue()).isEqualTo("lz4");
        assertThat(storage.getRows(1).getItems(2).getBoolValue()).isTrue();
    }
}
