package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;

import io.cleave.rpc.RequestMarshaller;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

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
        byte[] bytes = items(ParsedSize.MAX_ELEMENTS).toByteArray();
        assertThatThrownBy(() -> VALUE.bytes(bytes))
                .hasMessage(
                        "RESOURCE_EXHAUSTED: A request may have at most 4000000 elements: send"
                                + " fewer rows at once");
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

    @SuppressWarnings("unchecked") // the method's own
    private static RequestMarshaller<ExecuteQueryRequest> marshaller() {
        MethodDescriptor<ExecuteQueryRequest, ExecuteQueryResponsePart> method =
                QueryServiceGrpc.getExecuteQueryMethod();
        ServerServiceDefinition guarded =
                WellFormed.guard(
                        ServerServiceDefinition.builder(QueryServiceGrpc.SERVICE_NAME)
                                .addMethod(
                                        method, ServerCalls.asyncServerStreamingCall((_, _) -> {}))
                                .build());
        return (RequestMarshaller<ExecuteQueryRequest>)
                guarded.getMethod(method.getFullMethodName())
                        .getMethodDescriptor()
                        .getRequestMarshaller();
    }
}
