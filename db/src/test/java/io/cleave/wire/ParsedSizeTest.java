package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;

import io.cleave.rpc.RequestMarshaller;
import io.cleave.wire.value.ParsedSize;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

class ParsedSizeTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private static final ParsedSize VALUE = ParsedSize.of(Value.getDescriptor());

    @Test
    void emptyElementsTakeFarMoreThanTheirBytes() {
        byte[] bytes = items(10_000).toByteArray();
        assertThat(bytes).hasSize(20_000);
        assertThat(VALUE.bytes(bytes)).isBetween(800_000L, 1_000_000L);
    }

    @Test
    void aLongTextTakesLittleMoreThanItsBytes() {
        byte[] bytes =
                Value.newBuilder()
                        .setBytesValue(ByteString.copyFrom(new byte[1_000_000]))
                        .build()
                        .toByteArray();
        assertThat(VALUE.bytes(bytes)).isBetween(1_000_000L, 1_001_000L);
    }

    @Test
    void tooManyElementsAreRefused() {
        byte[] bytes = items(4_000_000).toByteArray();
        assertThatThrownBy(() -> VALUE.bytes(bytes))
                .hasMessage(
                        "RESOURCE_EXHAUSTED: A request may have at most 4000000 elements: send"
                                + " fewer rows at once");
    }

    /// The parser takes tags and lengths of up to ten bytes.
    @Test
    void whatFollowsANumberThatIsTooLongIsCounted() throws Exception {
        byte[] items = items(10_000).toByteArray();
        var bytes = new ByteArrayOutputStream();
        for (byte number : new byte[] {items[0], items[1]}) {
            bytes.write(number | 0x80);
            for (int more = 0; more < 8; more++) {
                bytes.write(0x80);
            }
            bytes.write(0);
        }
        bytes.writeBytes(items);
        assertThat(Value.parseFrom(bytes.toByteArray()).getItemsCount()).isEqualTo(10_001);
        assertThat(VALUE.bytes(bytes.toByteArray())).isGreaterThan(800_000);
    }

    /// `items` of a value, each of which is an empty value.
    private static ByteString items(int count) {
        byte[] item = Value.newBuilder().addItems(Value.getDefaultInstance()).build().toByteArray();
        byte[] bytes = new byte[item.length * count];
        for (int index = 0; index < count; index++) {
            System.arraycopy(item, 0, bytes, index * item.length, item.length);
        }
        return ByteString.copyFrom(bytes);
    }

    @Test
    void whatIsNoMessageIsCountedAsFarAsItGoes() {
        byte[] good =
                Value.newBuilder()
                        .addItems(Value.newBuilder().setTextValue("one").setVariantIndex(7))
                        .addItems(Value.newBuilder().setHigh128(3).setLow128(4))
                        .build()
                        .toByteArray();
        long all = VALUE.bytes(good);
        Random random = new Random(SEED);
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
            for (int change = random.nextInt(3); change > 0 && bytes.length > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            assertThat(VALUE.bytes(bytes)).as("-Dseed=%d", SEED).isBetween(1L, 10 * all);
        }
    }

    @Test
    void fieldsThatAreNotKnownAreDropped() {
        var request =
                ExecuteQueryRequest.newBuilder()
                        .setSessionId("s")
                        .setUnknownFields(
                                UnknownFieldSet.newBuilder()
                                        .addField(
                                                9_999,
                                                UnknownFieldSet.Field.newBuilder()
                                                        .addLengthDelimited(
                                                                ByteString.copyFromUtf8("filler"))
                                                        .build())
                                        .build())
                        .build();
        ExecuteQueryRequest parsed = marshaller().parse(request.toByteArray());
        assertThat(parsed.getSessionId()).isEqualTo("s");
        assertThat(parsed.getUnknownFields().asMap()).isEmpty();
    }

    /// One request has a field that is not known to us and is read nevertheless: a small one.
    @Test
    void fieldsThatAreNotKnownAreDroppedOfWhatIsTooLongForThem() {
        var unknown = UnknownFieldSet.newBuilder();
        for (int number = 1_000; number < 3_000; number++) {
            unknown.addField(
                    number,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.EMPTY)
                            .build());
        }
        var request = DescribeTableRequest.newBuilder().setUnknownFields(unknown.build()).build();
        RequestMarshaller<DescribeTableRequest> marshaller =
                marshaller(TableServiceGrpc.getDescribeTableMethod());
        assertThat(marshaller.parse(request.toByteArray()).getUnknownFields().asMap()).isEmpty();
    }

    private static RequestMarshaller<ExecuteQueryRequest> marshaller() {
        return marshaller(QueryServiceGrpc.getExecuteQueryMethod());
    }

    @SuppressWarnings("unchecked") // the method's own
    private static <Q, R> RequestMarshaller<Q> marshaller(MethodDescriptor<Q, R> method) {
        ServerServiceDefinition guarded =
                WellFormed.guard(
                        ServerServiceDefinition.builder(method.getServiceName())
                                .addMethod(
                                        method, ServerCalls.asyncServerStreamingCall((_, _) -> {}))
                                .build());
        return (RequestMarshaller<Q>)
                guarded.getMethod(method.getFullMethodName())
                        .getMethodDescriptor()
                        .getRequestMarshaller();
    }
}
