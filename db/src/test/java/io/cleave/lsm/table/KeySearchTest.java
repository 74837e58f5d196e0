package io.cleave.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.lsm.row.Keys;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

class KeySearchTest {
    @Test
    void itFindsWhatASearchThroughAllKeysFinds() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            byte[] start = randomKey(random, random.nextInt(12));
            var keys = new TreeSet<Bytes>();
            for (int count = random.nextInt(60); count > 0; count--) {
                keys.add(Bytes.wrap(join(start, randomKey(random, random.nextInt(20)))));
            }
            List<Bytes> sorted = new ArrayList<>(keys);
            KeySearch search = searchOf(sorted);
            for (int probe = 0; probe < 100; probe++) {
                Bytes key = probe(random, start, sorted);
                int expected = keys.headSet(key).size();
                assertThat(search.firstNotBefore(key.array(), key.length()))
                        .as("-Dseed=%d round %d: %s", seed, round, key)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void keysAreComparedAsUnsignedBytesAndAPrefixComesFirst() {
        var random = new Random(3);
        for (int round = 0; round < 10_000; round++) {
            byte[] start = randomKey(random, random.nextInt(20));
            byte[] a = join(start, randomKey(random, random.nextInt(10)));
            byte[] b = join(start, randomKey(random, random.nextInt(10)));
            assertThat(Integer.signum(Keys.compare(a, 0, a.length, b, 0, b.length)))
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
            int mismatch = Arrays.mismatch(a, b);
            assertThat(Keys.common(a, a.length, b, b.length))
                    .isEqualTo(mismatch < 0 ? a.length : mismatch);
        }
    }

    private static Bytes probe(Random random, byte[] start, List<Bytes> keys) {
        return switch (random.nextInt(3)) {
            case 0 -> Bytes.wrap(randomKey(random, random.nextInt(16)));
            case 1 -> Bytes.wrap(join(start, randomKey(random, random.nextInt(20))));
            default -> keys.isEmpty() ? Bytes.EMPTY : keys.get(random.nextInt(keys.size()));
        };
    }

    /// Of few letters, the least and the greatest among them, so that much is shared.
    private static byte[] randomKey(Random random, int length) {
        byte[] key = new byte[length];
        for (int at = 0; at < length; at++) {
            key[at] = (byte) (random.nextInt(3) - 1);
        }
        return key;
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static KeySearch searchOf(List<Bytes> keys) {
        var all = new ByteWriter(64);
        int[] from = new int[keys.size() + 1];
        for (int index = 0; index < keys.size(); index++) {
            all.put(keys.get(index).array(), 0, keys.get(index).length());
            from[index + 1] = all.length();
        }
        return new KeySearch(all.toArray(), from);
    }
}
