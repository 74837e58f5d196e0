package io.cleave.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What is written as bytes must read as the messages that the other way makes.
class ValueWriterTest {
    private static final long[] INTEGERS = {
        0,
        1,
        -1,
        63,
        127,
        128,
        255,
        300,
        -32768,
        65535,
        1 << 20,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0xFFFF_FFFFL,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    @Test
    void everyPrimitiveReadsAsItsMessage() throws IOException {
        for (Primitive type : Primitive.values()) {
            for (Value value : valuesOf(type)) {
                expectSame(List.of(type), List.of(value));
                expectSame(List.of(new Type.Optional(type)), List.of(value));
            }
            expectSame(List.of(new Type.Optional(type)), List.of(Value.Null.NULL));
        }
    }

    @Test
    void containersReadAsTheirMessages() throws IOException {
        Type list = new Type.ListOf(Primitive.INT32);
        Type nested = new Type.Optional(new Type.Optional(Primitive.UTF8));
        expectSame(
                List.of(list, new Type.Optional(list), nested, nested, new Type.Decimal(22, 9)),
                List.of(
                        Value.items(List.of(Value.of(1), Value.of(-2))),
                        Value.Null.NULL,
                        new Value.Just(Value.Null.NULL),
                        Value.text("inside"),
                        new Value.Int128(-1, 5)));
    }

    @Test
    void textsOfAllLengthsReadAsTheirMessages() throws IOException {
        for (int length : new int[] {0, 1, 126, 127, 128, 300, 16_383, 16_384, 100_000}) {
            expectSame(
                    List.of(Primitive.UTF8, Primitive.UTF8),
                    List.of(Value.text("x".repeat(length)), Value.text("ж€😀".repeat(length / 4))));
        }
    }

    @Test
    void aPartIsTheMessageWithItsResultSet() throws IOException {
        ResultSet expected = messages(List.of(Primitive.UTF8), List.of(Value.text("text")), true);
        WireBuffer set = encoded(List.of(Primitive.UTF8), List.of(Value.text("text")), true);
        var rest = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
        rest.getTxMetaBuilder().setId("tx");

        byte[] sent =
                EncodedPart.MARSHALLER.stream(EncodedPart.of(rest.build().toByteArray(), set))
                        .readAllBytes();

        assertThat(ExecuteQueryResponsePart.parseFrom(sent))
                .isEqualTo(rest.setResultSet(expected).build());
    }

    private static List<Value> valuesOf(Primitive type) {
        List<Value> values = new ArrayList<>();
        switch (type) {
            case BOOL -> values.addAll(List.of(Value.Bool.TRUE, Value.Bool.FALSE));
            case FLOAT, DOUBLE -> {
                for (double each : new double[] {0, -0.0, 1.5, Double.NaN, -1e300}) {
                    values.add(Value.of(each));
                }
            }
            case STRING, YSON -> values.add(Value.binary(Bytes.wrap(new byte[] {0, -1, 5})));
            case UTF8,
                    JSON,
                    JSON_DOCUMENT,
                    DY_NUMBER,
                    TZ_DATE,
                    TZ_DATETIME,
                    TZ_TIMESTAMP,
                    TZ_DATE32,
                    TZ_DATETIME64,
                    TZ_TIMESTAMP64 ->
                    values.addAll(List.of(Value.text(""), Value.text("aж€😀")));
            case UUID -> values.add(new Value.Int128(1, -2));
            default -> {
                for (long each : INTEGERS) {
                    values.add(Value.of(each));
                }
            }
        }
        return values;
    }

    private static void expectSame(List<Type> types, List<Value> row) throws IOException {
        WireBuffer bytes = encoded(types, row, false);
        byte[] written =
                Arrays.copyOfRange(bytes.array(), bytes.from(), bytes.from() + bytes.length());
        ResultSet expected = messages(types, row, false);
        assertThat(ResultSet.parseFrom(written)).isEqualTo(expected);
        assertThat(written).isEqualTo(expected.toByteArray());
    }

    private static ResultShape shape(List<Type> types) {
        return new ResultShape(types.stream().map(type -> new ResultColumn("c", type)).toList());
    }

    private static ResultSet messages(List<Type> types, List<Value> row, boolean truncated) {
        return build(new MessageSets(), types, row, truncated);
    }

    private static WireBuffer encoded(List<Type> types, List<Value> row, boolean truncated) {
        return build(new EncodedSets(new EncodedSets.Shapes()), types, row, truncated);
    }

    private static <S> S build(
            SetBuilder<S> sets, List<Type> types, List<Value> row, boolean truncated) {
        sets.shape(shape(types));
        sets.start(true);
        assertThat(sets.ready(row.toArray(new Value[0]))).isNotNegative();
        sets.add();
        return sets.build(truncated);
    }
}
