package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;

import java.util.List;

class LegalTest {
    private final RandomValues values = new RandomValues();

    @Test
    void everyRandomValueIsLegal() {
        for (int round = 0; round < 3000; round++) {
            Type type = values.type(values.random().nextInt(4));
            Value value = values.value(type);
            assertThat(Legal.check(type, value))
                    .as("%s %s %s", type.text(), value, values.seed())
                    .isEmpty();
        }
    }

    @Test
    void oneBeyondEitherEndIsNot() {
        for (Primitive type : Primitive.values()) {
            if (Ints.bytes(type) > 0 && type != Primitive.UINT64 && type != Primitive.INT64) {
                assertThat(Legal.check(type, Value.of(Ints.max(type) + 1))).isPresent();
                assertThat(Legal.check(type, Value.of(Ints.min(type) - 1))).isPresent();
                assertThat(Legal.check(type, Value.of(Ints.max(type)))).isEmpty();
                assertThat(Legal.check(type, Value.of(Ints.min(type)))).isEmpty();
            }
        }
    }

    @Test
    void theProblemIsNamed() {
        assertThat(Legal.check(Primitive.INT8, Value.of(128L)))
                .contains("is out of the range of Int8");
        assertThat(Legal.check(Primitive.FLOAT, Value.of(0.1)))
                .contains("is out of the range of Float");
        assertThat(Legal.check(Primitive.UTF8, Value.text("\uD800")))
                .contains("is not a valid Utf8");
        assertThat(Legal.check(Primitive.JSON_DOCUMENT, Value.text("{ }")))
                .contains("is not a valid JsonDocument");
        assertThat(Legal.check(Primitive.DY_NUMBER, Value.text("1")))
                .contains("is not a valid DyNumber");
        assertThat(Legal.check(Primitive.UTF8, Value.of(1L))).contains("is not a value of Utf8");
        assertThat(Legal.check(Primitive.BOOL, Value.Null.NULL))
                .contains("is NULL, but its type is Bool");
        assertThat(Legal.check(new Type.Decimal(2, 1), new Value.Int128(0, 100)))
                .contains("is out of the range of Decimal(2,1)");
        Type tuple = new Type.Tuple(List.of(Primitive.BOOL, Primitive.UINT8));
        assertThat(Legal.check(tuple, Value.items(List.of(Value.Bool.TRUE, Value.of(256L)))))
                .contains("is out of the range of Uint8");
        assertThat(Legal.check(tuple, Value.items(List.of(Value.Bool.TRUE)))).isPresent();
    }
}
