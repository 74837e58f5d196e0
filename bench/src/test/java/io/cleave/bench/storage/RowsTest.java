package io.cleave.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;

class RowsTest {
    @Test
    void keysAreEvenNumbersInOrder() {
        assertThat(new String(Rows.key(21), StandardCharsets.US_ASCII))
                .isEqualTo("0000000000000042");
        assertThat(Arrays.compareUnsigned(Rows.key(21), Rows.absentKey(21))).isNegative();
        assertThat(Arrays.compareUnsigned(Rows.absentKey(21), Rows.key(22))).isNegative();
    }

    @Test
    void valuesHaveNothingInCommonButTheirEnd() {
        byte[] first = Rows.value(1);
        byte[] second = Rows.value(2);

        assertThat(first).hasSize(Rows.VALUE_BYTES).isEqualTo(Rows.value(1));
        assertThat(Arrays.copyOfRange(first, 64, 100))
                .isEqualTo(Arrays.copyOfRange(second, 64, 100));
        assertThat(longs(first)).doesNotContainAnyElementsOf(longs(second));
    }

    @Test
    void shufflingKeepsEveryRow() {
        int[] order = Rows.shuffled(1000);

        assertThat(order).isNotEqualTo(IntStream.range(0, 1000).toArray());
        assertThat(order).containsExactlyInAnyOrder(IntStream.range(0, 1000).toArray());
    }

    @Test
    void arraysAndBuffersHaveTheSameSum() {
        byte[] value = Rows.value(7);
        var buffer = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);

        assertThat(Rows.sum(value, 0, 100)).isEqualTo(Rows.sum(buffer, 0, 100));
        assertThat(Rows.sum(value, 0, 100)).isNotEqualTo(Rows.sum(Rows.value(8), 0, 100));
    }

    private static Iterable<Long> longs(byte[] value) {
        var buffer = ByteBuffer.wrap(value, 0, 64);
        return IntStream.range(0, 8).mapToObj(index -> buffer.getLong(8 * index)).toList();
    }
}
