package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;

class FieldCodecTest {
    private final RandomValues values = new RandomValues();

    @Test
    void fieldsReadBackFromTheMiddleOfABlock() {
        for (Type type : RandomValues.columnTypes()) {
            for (int round = 0; round < 300; round++) {
                Value value = values.value(type);
                byte[] field = FieldCodec.encode(type, value);
                byte[] block = new byte[3 + field.length + 5];
                System.arraycopy(field, 0, block, 3, field.length);
                assertThat(FieldCodec.decode(type.optional(), block, 3, 3 + field.length))
                        .as("%s %s", type, values.seed())
                        .isEqualTo(value);
            }
        }
    }

    @Test
    void theFormatIsTheDocumentedOne() {
        assertThat(FieldCodec.encode(Primitive.UINT32, Value.of(0xFEDCBA98L)))
                .inHexadecimal()
                .containsExactly(0x98, 0xBA, 0xDC, 0xFE);
        assertThat(FieldCodec.encode(Primitive.FLOAT, Value.of(1.5)))
                .inHexadecimal()
                .containsExactly(0, 0, 0xC0, 0x3F);
        assertThat(FieldCodec.encode(Primitive.DATE, Value.of(0xC208L)))
                .inHexadecimal()
                .containsExactly(0x08, 0xC2);
    }

    @Test
    void aFieldOfAnotherWidthIsCorruption() {
        assertThatThrownBy(() -> FieldCodec.decode(Primitive.INT32, new byte[8], 0, 3))
                .isInstanceOf(CorruptionException.class);
        assertThatThrownBy(() -> FieldCodec.decode(new Type.Decimal(22, 9), new byte[8], 0, 8))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("Decimal(22,9)");
    }
}
