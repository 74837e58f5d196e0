package io.cleave.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.NullValue;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.RandomValues;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos;

import java.util.List;

class ProtoValuesTest {
    private static final ValueProtos.Value NULL =
            proto().setNullFlagValue(NullValue.NULL_VALUE).build();

    private final RandomValues values = new RandomValues();

    @Test
    void everyTypeAndValueComesBackFromTheWire() throws InvalidProtocolBufferException {
        for (int round = 0; round < 5000; round++) {
            Type type = values.type(values.random().nextInt(4));
            Value value = values.value(type);
            byte[] sent = ProtoValues.toTypedProto(type, value).toByteArray();
            var received = ValueProtos.TypedValue.parseFrom(sent);
            assertThat(ProtoTypes.fromProto(received.getType())).as(values.seed()).isEqualTo(type);
            assertThat(ProtoValues.fromProto(received, "$p"))
                    .as("%s %s", type.text(), values.seed())
                    .isEqualTo(value);
        }
    }

    @Test
    void aRowIsItsColumnsAsItems() {
        Type[] types = {Primitive.INT32, Primitive.UTF8.optional(), Primitive.BOOL.optional()};
        Value[] row = {Value.of(-7L), Value.text("x"), Value.Null.NULL};
        assertThat(ProtoValues.rowToProto(types, row))
                .isEqualTo(
                        proto().addItems(proto().setInt32Value(-7))
                                .addItems(proto().setTextValue("x"))
                                .addItems(NULL)
                                .build());
    }

    @Test
    void anOptionalIsNestedOnlyAroundANull() {
        Type nested = new Type.Optional(Primitive.INT64.optional());
        var justNull = new Value.Just(Value.Null.NULL);
        assertThat(ProtoValues.toProto(nested, Value.of(5L)))
                .isEqualTo(proto().setInt64Value(5).build());
        assertThat(ProtoValues.toProto(nested, Value.Null.NULL)).isEqualTo(NULL);
        assertThat(ProtoValues.toProto(nested, justNull))
                .isEqualTo(proto().setNestedValue(NULL).build());
        // Some clients nest every level.
        assertThat(read(nested, proto().setNestedValue(proto().setInt64Value(5))))
                .isEqualTo(Value.of(5L));
    }

    @Test
    void anOptionalVariantIsNotNestedTwice() {
        Type variant = new Type.Variant(new Type.Tuple(List.of(Primitive.BOOL, Primitive.INT32)));
        Value choice = new Value.Choice(1, Value.of(3L));
        var wire = proto().setNestedValue(proto().setInt32Value(3)).setVariantIndex(1);
        assertThat(ProtoValues.toProto(variant.optional(), choice)).isEqualTo(wire.build());
        assertThat(read(variant.optional(), wire)).isEqualTo(choice);
    }

    @Test
    void uuidAndDecimalAreTwoHalves() {
        var wire = proto().setLow128(0x41d4e29b550e8400L).setHigh128(0x4455664416a7L);
        assertThat(read(Primitive.UUID, wire))
                .isEqualTo(new Value.Int128(0x4455664416a7L, 0x41d4e29b550e8400L));
        assertThat(read(new Type.Decimal(5, 2), proto().setLow128(-123).setHigh128(-1)))
                .isEqualTo(new Value.Int128(-1, -123));
    }

    @Test
    void documentsAndDyNumbersAreNormalizedOnTheWayIn() {
        assertThat(read(Primitive.JSON_DOCUMENT, proto().setTextValue("{\"b\": 2, \"a\": 1.50}")))
                .isEqualTo(Value.text("{\"a\":1.5,\"b\":2}"));
        assertThat(read(Primitive.DY_NUMBER, proto().setTextValue("1.0")))
                .isEqualTo(Value.text(".1e1"));
    }

    /// The published enum ends before them; clients go by YDB's numbers.
    @Test
    void theWideTzTypesAreTextsUnderTheirNumbers() {
        var day = ValueProtos.Type.newBuilder().setTypeIdValue(68).build();
        var second = ValueProtos.Type.newBuilder().setTypeIdValue(69).build();
        var micro = ValueProtos.Type.newBuilder().setTypeIdValue(70).build();
        assertThat(ProtoTypes.fromProto(day)).isEqualTo(Primitive.TZ_DATE32);
        assertThat(ProtoTypes.fromProto(second)).isEqualTo(Primitive.TZ_DATETIME64);
        assertThat(ProtoTypes.fromProto(micro)).isEqualTo(Primitive.TZ_TIMESTAMP64);
        String text = "1900-01-01T00:00:00,Europe/Moscow";
        assertThat(read(Primitive.TZ_DATETIME64, proto().setTextValue(text)))
                .isEqualTo(Value.text(text));
        assertThat(ProtoValues.toProto(Primitive.TZ_DATETIME64, Value.text(text)).getTextValue())
                .isEqualTo(text);
        assertRefused(Primitive.TZ_DATE32, proto().setTextValue(text), "TzDate32");
    }

    @Test
    void aMistakeIsABadRequestThatNamesThePlace() {
        Type row =
                new Type.Struct(
                        List.of(
                                new Type.Member("id", Primitive.UINT8),
                                new Type.Member("name", Primitive.UTF8.optional())));
        Type rows = new Type.ListOf(row);
        var good = proto().addItems(proto().setUint32Value(1)).addItems(NULL);
        var wrongField =
                proto().addItems(proto().setUint32Value(1)).addItems(proto().setInt32Value(1));
        assertRefused(
                rows,
                proto().addItems(good).addItems(wrongField),
                "$p[1].name has int32_value, but its type is Utf8");
        var tooLarge = proto().addItems(proto().setUint32Value(256)).addItems(NULL);
        assertRefused(rows, proto().addItems(tooLarge), "$p[0].id is out of the range of Uint8");
        var tooFew = proto().addItems(proto().setUint32Value(1));
        assertRefused(rows, proto().addItems(tooFew), "$p[0] has 1 items, but its type is Struct");
        assertRefused(rows, proto().setBoolValue(true), "$p has bool_value");
        assertRefused(Primitive.INT32, proto(), "$p has no value, but its type is Int32");
        assertRefused(Primitive.INT32, NULL.toBuilder(), "$p has null_flag_value");
        assertRefused(Primitive.DATE, proto().setUint32Value(49_673), "out of the range of Date");
        assertRefused(Primitive.JSON, proto().setTextValue("{"), "$p: Invalid Json value");
        assertRefused(
                new Type.Decimal(3, 0),
                proto().setLow128(1000),
                "out of the range of Decimal(3,0)");
        assertRefused(
                new Type.Variant(new Type.Tuple(List.of(Primitive.BOOL))),
                proto().setNestedValue(proto().setBoolValue(true)).setVariantIndex(-1),
                "variant index 4294967295 of 1");
    }

    @Test
    void aDictHasEachKeyOnce() {
        var pair =
                ValueProtos.ValuePair.newBuilder()
                        .setKey(proto().setBoolValue(true))
                        .setPayload(NULL)
                        .build();
        assertRefused(
                new Type.Dict(Primitive.BOOL, Primitive.BOOL.optional()),
                proto().addPairs(pair).addPairs(pair),
                "a duplicate key");
    }

    @Test
    void typesTooDeepUnknownOrAmbiguousAreRefused() {
        var deep = ProtoTypes.toProto(Primitive.BOOL);
        for (int depth = 0; depth < 70; depth++) {
            var list = ValueProtos.Type.newBuilder();
            list.getListTypeBuilder().setItem(deep);
            deep = list.build();
        }
        var tooDeep = deep;
        assertThatThrownBy(() -> ProtoTypes.fromProto(tooDeep)).hasMessageContaining("deeper than");
        var unknown = ValueProtos.Type.newBuilder().setTypeIdValue(0x7777).build();
        assertThatThrownBy(() -> ProtoTypes.fromProto(unknown)).hasMessageContaining("30583");
        assertThatThrownBy(() -> ProtoTypes.fromProto(ValueProtos.Type.getDefaultInstance()))
                .hasMessageContaining("Type is not set");
        var member = new Type.Member("key", Primitive.BOOL);
        var twice = ProtoTypes.toProto(new Type.Struct(List.of(member, member)));
        assertThatThrownBy(() -> ProtoTypes.fromProto(twice))
                .hasMessageContaining("Duplicated member: key");
        var decimal = ValueProtos.Type.newBuilder();
        decimal.getDecimalTypeBuilder().setPrecision(36).setScale(0);
        assertThatThrownBy(() -> ProtoTypes.fromProto(decimal.build()))
                .hasMessageContaining("Invalid decimal precision: 36");
    }

    private static void assertRefused(Type type, ValueProtos.Value.Builder wire, String message) {
        assertThatThrownBy(() -> read(type, wire))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.BAD_REQUEST));
    }

    private static Value read(Type type, ValueProtos.Value.Builder wire) {
        return ProtoValues.fromProto(type, wire.build(), "$p");
    }

    private static ValueProtos.Value.Builder proto() {
        return ValueProtos.Value.newBuilder();
    }
}
