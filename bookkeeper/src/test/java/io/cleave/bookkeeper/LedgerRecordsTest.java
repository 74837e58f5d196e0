package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

class LedgerRecordsTest {
    @Test
    void wholeRecordsReadBack() {
        List<Bytes> records = List.of(Bytes.utf8("a"), Bytes.EMPTY, Bytes.utf8("ccc"));
        LedgerRecords read = decode(LedgerRecords.encode(7, 40, records));

        assertThat(read.epoch()).isEqualTo(7);
        assertThat(read.position()).isEqualTo(40);
        assertThat(read.records()).isEqualTo(records);
        assertThat(read.end()).isEqualTo(43);
        assertThat(read.isPart()).isFalse();
    }

    @Test
    void anEntryMayHaveNoRecords() {
        LedgerRecords read = decode(LedgerRecords.encode(7, 40, List.of()));

        assertThat(read.position()).isEqualTo(40);
        assertThat(read.records()).isEmpty();
        assertThat(read.end()).isEqualTo(40);
    }

    @Test
    void aLargeRecordIsTheSumOfItsParts() {
        byte[] bytes = new byte[2 * LedgerRecords.MAX_ENTRY_BYTES + 1];
        new Random(1).nextBytes(bytes);
        Bytes record = Bytes.wrap(bytes);
        assertThat(LedgerRecords.isLarge(record)).isTrue();
        int parts = LedgerRecords.partsOf(record);
        assertThat(parts).isEqualTo(3);
        var joined = new ByteArrayOutputStream();
        for (int part = 0; part < parts; part++) {
            ByteBuf entry = LedgerRecords.encodePart(7, 40, record, part);
            assertThat(entry.readableBytes()).isLessThanOrEqualTo(LedgerRecords.MAX_ENTRY_BYTES);
            LedgerRecords read = decode(entry);
            assertThat(read.isPart()).isTrue();
            assertThat(read.part()).isEqualTo(part);
            assertThat(read.end()).isEqualTo(part == parts - 1 ? 41 : 40);
            joined.writeBytes(read.records().getFirst().array());
        }
        assertThat(joined.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void theLargestWholeRecordIsOneEntry() {
        int most =
                LedgerRecords.MAX_ENTRY_BYTES
                        - LedgerRecords.HEADER_BYTES
                        - LedgerRecords.LENGTH_BYTES;
        assertThat(LedgerRecords.isLarge(Bytes.wrap(new byte[most]))).isFalse();
        assertThat(LedgerRecords.isLarge(Bytes.wrap(new byte[most + 1]))).isTrue();
    }

    @Test
    void damageIsCorruptionThatNamesTheEntry() {
        ByteBuf entry = LedgerRecords.encode(7, 40, List.of(Bytes.utf8("hello")));
        byte[] bytes = new byte[entry.readableBytes()];
        entry.readBytes(bytes);
        entry.release();
        for (int length = 0; length < bytes.length; length++) {
            ByteBuf cut = Unpooled.wrappedBuffer(bytes, 0, length);
            assertThatThrownBy(() -> LedgerRecords.decode("ledger 5", 3, cut))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("ledger 5");
        }
        bytes[0] = 9;
        assertThatThrownBy(() -> LedgerRecords.decode("ledger 5", 3, Unpooled.wrappedBuffer(bytes)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("kind 9");
    }

    private static LedgerRecords decode(ByteBuf entry) {
        try {
            return LedgerRecords.decode("ledger", 0, entry);
        } finally {
            entry.release();
        }
    }
}
