package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Keys;

import org.junit.jupiter.api.Test;

class KeyFilterTest {
    @Test
    void itNeverDeniesAKeyThatWasAdded() {
        for (int count : new int[] {1, 2, 51, 52, 1000, 100_000}) {
            KeyFilter filter = filterOf(count);
            for (int number = 0; number < count; number++) {
                assertThat(mayContain(filter, "key " + number)).isTrue();
            }
        }
    }

    @Test
    void itLetsAboutOneOtherKeyInAHundredPass() {
        KeyFilter filter = filterOf(100_000);
        int passed = 0;
        for (int number = 0; number < 100_000; number++) {
            passed += mayContain(filter, "other " + number) ? 1 : 0;
        }
        assertThat(passed).isBetween(500, 2000);
        assertThat(filter.bits().length * 8).isBetween(1_000_000, 1_001_000);
    }

    @Test
    void aHashDependsOnEveryByteAndTheLength() {
        long whole = hash("abcdefghijklmnopqrst");
        for (int at = 0; at < 20; at++) {
            byte[] changed = Bytes.utf8("abcdefghijklmnopqrst").array().clone();
            changed[at]++;
            assertThat(Keys.hash(changed, changed.length)).isNotEqualTo(whole);
        }
        assertThat(hash("")).isNotEqualTo(hash("\0"));
        assertThat(hash("a")).isNotEqualTo(hash("a\0"));
    }

    @Test
    void theHashIsWhatFilesWereWrittenWith() {
        assertThat(hash("")).isEqualTo(0L);
        assertThat(hash("cleave")).isEqualTo(CLEAVE);
        assertThat(hash("a key of some length")).isEqualTo(LONGER);
    }

    private static final long CLEAVE = -8439714783348763885L;
    private static final long LONGER = -2777410742837295383L;

    private static KeyFilter filterOf(int count) {
        var writer = new KeyFilter.Writer();
        for (int number = 0; number < count; number++) {
            byte[] key = Bytes.utf8("key " + number).array();
            writer.add(key, key.length);
        }
        return writer.finish();
    }

    private static boolean mayContain(KeyFilter filter, String key) {
        return filter.mayContain(hash(key));
    }

    private static long hash(String key) {
        byte[] bytes = Bytes.utf8(key).array();
        return Keys.hash(bytes, bytes.length);
    }
}
