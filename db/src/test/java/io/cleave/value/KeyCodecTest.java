package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class KeyCodecTest {
    private final RandomValues values = new RandomValues();

    @Test
    void theOrderOfOneColumnIsTheOrderOfItsValues() {
        for (Type type : RandomValues.keyTypes()) {
            for (int round = 0; round < 1000; round++) {
                Value left = values.value(type.optional());
                Value right = values.value(type.optional());
                int order = encode(type, left).compareTo(encode(type, right));
                assertThat(Integer.signum(order))
                        .as("%s %s %s %s", type, left, right, values.seed())
                        .isEqualTo(sign(type, left, right));
            }
        }
    }

    @Test
    void theOrderOfKeysIsThatOfTheirFirstDifferentColumn() {
        for (int round = 0; round < 10_000; round++) {
            List<Type> types = keyColumns();
            Value[] left = tuple(types);
            Value[] right = neighbour(types, left);
            int expected = 0;
            for (int column = 0; column < left.length && expected == 0; column++) {
                expected = sign(types.get(column).optional(), left[column], right[column]);
            }
            Bytes leftKey = KeyCodec.encode(types, left);
            Bytes rightKey = KeyCodec.encode(types, right);
            assertThat(Integer.signum(leftKey.compareTo(rightKey)))
                    .as(
                            "%s %s %s %s",
                            types, Arrays.toString(left), Arrays.toString(right), values.seed())
                    .isEqualTo(expected);
        }
    }

    @Test
    void keysAndTheirPrefixesReadBack() {
        for (int round = 0; round < 5000; round++) {
            List<Type> types = keyColumns();
            Value[] whole = tuple(types);
            Value[] prefix = Arrays.copyOf(whole, values.random().nextInt(whole.length + 1));
            Bytes wholeKey = KeyCodec.encode(types, whole);
            Bytes prefixKey = KeyCodec.encode(types, prefix);
            assertThat(KeyCodec.decode(types, wholeKey)).as(values.seed()).isEqualTo(whole);
            assertThat(KeyCodec.decode(types, prefixKey)).as(values.seed()).isEqualTo(prefix);
            assertThat(wholeKey.startsWith(prefixKey)).as(values.seed()).isTrue();
        }
    }

    @Test
    void prefixEndIsAboveEveryExtensionAndNothingElse() {
        assertThat(KeyCodec.prefixEnd(bytes(1, 2))).isEqualTo(bytes(1, 3));
        assertThat(KeyCodec.prefixEnd(bytes(1, 0xFF, 0xFF))).isEqualTo(bytes(2));
        assertThat(KeyCodec.prefixEnd(bytes(0xFF))).isNull();
        assertThat(KeyCodec.prefixEnd(Bytes.EMPTY)).isNull();
    }

    @Test
    void theFormatIsTheDocumentedOne() {
        assertThat(encode(Primitive.INT32, Value.of(-1L)))
                .isEqualTo(bytes(1, 0x7F, 0xFF, 0xFF, 0xFF));
        assertThat(encode(Primitive.UINT16, Value.of(258L))).isEqualTo(bytes(1, 1, 2));
        assertThat(encode(Primitive.UTF8, Value.text("a\0")))
                .isEqualTo(bytes(1, 'a', 0, 0xFF, 0, 1));
        assertThat(encode(Primitive.DY_NUMBER, Value.text(".15e1")))
                .isEqualTo(bytes(1, 2, 130, 0x26, 0));
        assertThat(encode(Primitive.BOOL, Value.Null.NULL)).isEqualTo(bytes(0));
    }

    @Test
    void aCutOffKeyIsCorruption() {
        List<Type> types = RandomValues.keyTypes();
        for (Type type : types) {
            byte[] key = encode(type, values.value(type)).array();
            for (int length = 1; length < key.length; length++) {
                Bytes cut = Bytes.copyOf(key, 0, length);
                assertThatThrownBy(() -> KeyCodec.decode(List.of(type), cut))
                        .as("%s %s %s", type, cut, values.seed())
                        .isInstanceOf(CorruptionException.class);
            }
        }
        assertThatThrownBy(() -> KeyCodec.decode(List.of(Primitive.BOOL), bytes(1, 1, 1)))
                .isInstanceOf(CorruptionException.class);
        assertThatThrownBy(() -> KeyCodec.decode(List.of(Primitive.DY_NUMBER), bytes(1, 3, 9, 0)))
                .isInstanceOf(CorruptionException.class);
    }

    @Test
    void aKeyHasTheBytesOfItsValues() {
        for (int round = 0; round < 5000; round++) {
            List<Type> types = keyColumns();
            Value[] key = tuple(types);
            int bytes = 0;
            for (int column = 0; column < key.length; column++) {
                bytes += bytes(types.get(column), key[column]);
            }
            assertThat(KeyCodec.valueBytes(types, KeyCodec.encode(types, key)))
                    .as(values.seed())
                    .isEqualTo(bytes);
            assertThat(KeyCodec.hasNull(types, KeyCodec.encode(types, key)))
                    .as(values.seed())
                    .isEqualTo(Arrays.stream(key).anyMatch(Value::isNull));
        }
    }

    private static int bytes(Type type, Value value) {
        return switch (value) {
            case Value.Null _ -> 0;
            case Value.Bool _ -> 1;
            case Value.Int _ -> Ints.bytes((Primitive) type);
            case Value.Int128 _ -> 16;
            case Value.Binary(Bytes data) -> data.length();
            case Value.Text(String text) ->
                    type == Primitive.DY_NUMBER
                            ? DyNumber.encode(text).length
                            : Bytes.utf8(text).length();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }

    @Test
    void floatsAndDocumentsAreNoKeys() {
        assertThat(
                        Stream.of(Primitive.values())
                                .filter(type -> !KeyCodec.isKeyType(type))
                                .map(Type::text))
                .containsExactly(
                        "Float",
                        "Double",
                        "TzDate",
                        "TzDatetime",
                        "TzTimestamp",
                        "TzDate32",
                        "TzDatetime64",
                        "TzTimestamp64",
                        "Yson",
                        "Json",
                        "JsonDocument");
        assertThat(KeyCodec.isKeyType(new Type.ListOf(Primitive.BOOL))).isFalse();
    }

    private List<Type> keyColumns() {
        return Stream.generate(() -> values.oneOf(RandomValues.keyTypes()))
                .limit(1 + values.random().nextInt(4))
                .toList();
    }

    private Value[] tuple(List<Type> types) {
        return types.stream().map(t -> values.value(t.optional())).toArray(Value[]::new);
    }

    /// As the key, up to some column.
    private Value[] neighbour(List<Type> types, Value[] key) {
        int same = values.random().nextInt(key.length + 1);
        return IntStream.range(0, key.length)
                .mapToObj(c -> c < same ? key[c] : values.value(types.get(c).optional()))
                .toArray(Value[]::new);
    }

    private static int sign(Type type, Value left, Value right) {
        return Integer.signum(Order.compare(type, left, right));
    }

    private static Bytes encode(Type type, Value value) {
        return KeyCodec.encode(List.of(type), value);
    }

    private static Bytes bytes(int... values) {
        byte[] data = new byte[values.length];
        for (int index = 0; index < data.length; index++) {
            data[index] = (byte) values[index];
        }
        return Bytes.wrap(data);
    }
}
