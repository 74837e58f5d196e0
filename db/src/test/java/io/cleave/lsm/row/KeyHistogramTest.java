package io.cleave.lsm.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.LittleEndian;
import io.cleave.lsm.table.HistogramWriter;

import org.junit.jupiter.api.Test;

import java.util.Random;

class KeyHistogramTest {
    @Test
    void whatIsWrittenIsRead() {
        KeyHistogram histogram = histogram(5000, 100);
        var out = new ByteWriter(16);
        histogram.writeTo(out);
        byte[] encoded = out.toArray();
        var in = new ByteReader(encoded, 0, encoded.length);
        assertThat(KeyHistogram.readFrom(in)).isEqualTo(histogram);
        assertThat(in.hasMore()).isFalse();
    }

    @Test
    void nothingIsEmpty() {
        KeyHistogram empty = KeyHistogram.EMPTY;
        assertThat(empty.bytesBefore(Bytes.utf8("a"))).isZero();
        assertThat(empty.within(Bytes.utf8("a"), null)).isEqualTo(empty);
    }

    @Test
    void evenKeysAreFoundToAFractionOfABucket() {
        int rows = 100_000;
        KeyHistogram histogram = histogram(rows, 100);
        assertThat(histogram.rows()).isEqualTo(rows);
        assertThat(histogram.bytes()).isEqualTo(rows * 100L);
        for (int row = 0; row < rows; row += 77) {
            assertThat((double) histogram.rowsBefore(key(row))).isBetween(row - 20., row + 20.);
        }
    }

    @Test
    void bucketsStayFewHoweverLargeTheFile() {
        assertThat(histogram(100, 100).points()).hasSize(2);
        assertThat(histogram(1 << 20, 64).points()).hasSizeBetween(1000, 2001);
        assertThat(histogram(1 << 20, 1 << 14).points()).hasSizeBetween(1000, 2001);
    }

    @Test
    void aPartAndTheRestAreTheWhole() {
        KeyHistogram histogram = histogram(50_000, 300);
        var random = new Random(3);
        for (int round = 0; round < 100; round++) {
            Bytes cut = key(random.nextInt(52_000));
            KeyHistogram left = histogram.within(Bytes.EMPTY, cut);
            KeyHistogram right = histogram.within(cut, null);
            assertThat(left.rows() + right.rows()).isEqualTo(histogram.rows());
            assertThat(left.bytes() + right.bytes()).isEqualTo(histogram.bytes());
            assertThat(left.bytes()).isEqualTo(histogram.bytesBefore(cut));
            assertThat(right.bytesBefore(key(51_000))).isEqualTo(right.bytes());
        }
    }

    /// Blocks of eight rows.
    private static KeyHistogram histogram(int rows, int rowBytes) {
        var writer = new HistogramWriter();
        writer.begin(key(0));
        for (int row = 8; row < rows; row += 8) {
            writer.add(key(row - 1).array(), row, (long) row * rowBytes);
        }
        return writer.finish(key(rows - 1), rows, (long) rows * rowBytes);
    }

    private static Bytes key(int row) {
        byte[] key = new byte[8];
        LittleEndian.putLong(key, 0, Long.reverseBytes(0x1234_0000_0000_0000L + row));
        return Bytes.wrap(key);
    }
}
