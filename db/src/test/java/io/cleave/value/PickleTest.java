package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class PickleTest {
    @Test
    void everyValueComesBack() {
        var random = new RandomValues();
        for (int round = 0; round < 5_000; round++) {
            Type type = random.type(round % 4);
            Value value = random.value(type);
            assertThat(Pickle.read(type, Pickle.write(type, value)))
                    .as("%s %s %s", random.seed(), type.text(), value)
                    .contains(value);
        }
    }

    @Test
    void whatIsStableIsTheSameForEqualValues() {
        var type = new Type.Dict(Primitive.INT32, Primitive.DOUBLE);
        Value forth = dict(1, 0.0, 2, 2.0);
        Value back = dict(2, 2.0, 1, -0.0);
        assertThat(Pickle.writeStable(type, forth)).isEqualTo(Pickle.writeStable(type, back));
        assertThat(Pickle.write(type, forth)).isNotEqualTo(Pickle.write(type, back));
    }

    @Test
    void bytesThatAreCutOrGoOnAreRefused() {
        var random = new RandomValues();
        for (int round = 0; round < 1_000; round++) {
            Type type = random.type(2);
            byte[] whole = Pickle.write(type, random.value(type)).array();
            byte[] longer = Arrays.copyOf(whole, whole.length + 1);
            assertThat(Pickle.read(type, Bytes.wrap(longer))).as(random.seed()).isEmpty();
            byte[] shorter = Arrays.copyOf(whole, whole.length - 1);
            assertThat(Pickle.read(type, Bytes.wrap(shorter))).as(random.seed()).isEmpty();
        }
    }

    /// Whatever the bytes, the answer is a legal value or none, and soon.
    @Test
    void damagedBytesGiveALegalValueOrNone() {
        var random = new RandomValues();
        for (int round = 0; round < 5_000; round++) {
            Type type = random.type(3);
            byte[] bytes = Pickle.write(type, random.value(type)).array().clone();
            int index = random.random().nextInt(bytes.length);
            bytes[index] = (byte) random.random().nextInt();
            Pickle.read(type, Bytes.wrap(bytes))
                    .ifPresent(
                            value ->
                                    assertThat(Legal.check(type, value))
                                            .as(random.seed())
                                            .isEmpty());
        }
    }

    @Test
    void aCountBeyondTheBytesIsRefused() {
        var units = new Type.ListOf(Type.Unit.VOID);
        Bytes twoBillion = Bytes.wrap(new byte[] {1, -1, -1, -1, -1, 7});
        assertThat(Pickle.read(units, twoBillion)).isEmpty();
        assertThat(Pickle.read(units, Bytes.wrap(new byte[] {1, 2})))
                .contains(Value.items(List.of(Value.Null.NULL, Value.Null.NULL)));
    }

    @Test
    void aDictWithAKeyTwiceIsRefused() {
        var type = new Type.Dict(Primitive.UINT8, Primitive.UINT8);
        assertThat(Pickle.read(type, Bytes.wrap(new byte[] {1, 2, 7, 0, 8, 0}))).isPresent();
        assertThat(Pickle.read(type, Bytes.wrap(new byte[] {1, 2, 7, 0, 7, 0}))).isEmpty();
    }

    private static Value dict(int one, double first, int two, double second) {
        return new Value.Pairs(
                List.of(
                        new Value.Pair(Value.of(one), Value.of(first)),
                        new Value.Pair(Value.of(two), Value.of(second))));
    }
}
