package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;

class EntryIndexTest {
    private static final EntryIndex INDEX = EntryIndex.of(new int[] {10, 1, 5, 99}, 3);

    @Test
    void everyByteIsInOneEntry() {
        assertThat(INDEX.size()).isEqualTo(16);
        assertThat(INDEX.entryAt(0)).isEqualTo(0);
        assertThat(INDEX.entryAt(9)).isEqualTo(0);
        assertThat(INDEX.entryAt(10)).isEqualTo(1);
        assertThat(INDEX.entryAt(11)).isEqualTo(2);
        assertThat(INDEX.entryAt(15)).isEqualTo(2);
        assertThat(INDEX.offset(2)).isEqualTo(11);
        assertThat(INDEX.bytes(2)).isEqualTo(5);
    }

    @Test
    void itReadsBack() {
        EntryIndex again = EntryIndex.decode("blob", ByteBuffer.wrap(INDEX.encode()));
        assertThat(again.count()).isEqualTo(3);
        assertThat(again.size()).isEqualTo(16);
        assertThat(again.entryAt(10)).isEqualTo(1);
    }

    @Test
    void anythingElseIsCorruptionThatNamesTheBlob() {
        byte[] good = INDEX.encode();
        byte[] otherFormat = good.clone();
        otherFormat[0] = 2;
        byte[] emptyEntry = good.clone();
        Arrays.fill(emptyEntry, 5, 9, (byte) 0);
        byte[][] all = {
            {},
            {1},
            otherFormat,
            emptyEntry,
            Arrays.copyOf(good, good.length - 1),
            Arrays.copyOf(good, good.length + 4)
        };
        for (byte[] bad : all) {
            assertThatThrownBy(() -> EntryIndex.decode("blob 7", ByteBuffer.wrap(bad)))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("blob 7");
        }
    }
}
