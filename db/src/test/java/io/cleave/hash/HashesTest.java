package io.cleave.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Hashes of longer inputs against published values: SMHasher's verification codes, and the vectors
/// that come with the functions. Short inputs are in `testdata/expressions/digest.txt`.
class HashesTest {
    private interface Hash {
        byte[] of(byte[] data, long seed);
    }

    /// SMHasher's code of a function: the hash of the hashes of `0`, `0 1`, `0 1 2` … 256 times,
    /// each with another seed.
    private static int verification(Hash hash) {
        byte[] keys = new byte[256];
        byte[] hashes = {};
        for (int size = 0; size < 256; size++) {
            keys[size] = (byte) size;
            byte[] one = hash.of(Arrays.copyOf(keys, size), 256 - size);
            int at = hashes.length;
            hashes = Arrays.copyOf(hashes, at + one.length);
            System.arraycopy(one, 0, hashes, at, one.length);
        }
        return Words.int32(hash.of(hashes, 0), 0);
    }

    private static byte[] bytes(int hash) {
        return Arrays.copyOf(bytes((long) hash), Integer.BYTES);
    }

    private static byte[] bytes(long hash) {
        byte[] bytes = new byte[Long.BYTES];
        Words.put64(bytes, 0, hash);
        return bytes;
    }

    /// 0, 1, 2 …
    private static byte[] counting(int size) {
        byte[] data = new byte[size];
        for (int index = 0; index < size; index++) {
            data[index] = (byte) index;
        }
        return data;
    }

    @Test
    void murmurHasTheCodesOfSmhasher() {
        assertThat(verification((data, seed) -> bytes(Murmur.hash32(data, (int) seed))))
                .isEqualTo(0x27864C1E);
        assertThat(verification((data, seed) -> bytes(Murmur.hash2a32(data, (int) seed))))
                .isEqualTo(0x7FBD4396);
        assertThat(verification((data, seed) -> bytes(Murmur.hash64(data, seed))))
                .isEqualTo(0x1F0D3804);
    }

    @Test
    void farmOf128BitsHasTheCodeOfSmhasher() {
        assertThat(
                        verification(
                                (data, seed) -> {
                                    Hash128 hash =
                                            FarmHash.fingerprint128(data, 0, data.length, seed, 0);
                                    byte[] both = Arrays.copyOf(bytes(hash.low()), 16);
                                    System.arraycopy(bytes(hash.high()), 0, both, 8, 8);
                                    return both;
                                }))
                .isEqualTo(0x305C0D9A);
    }

    @Test
    void highwayHashHasItsPublishedVectors() {
        long[] key = {
            0x0706050403020100L, 0x0F0E0D0C0B0A0908L, 0x1716151413121110L, 0x1F1E1D1C1B1A1918L
        };
        assertThat(HighwayHash.hash64(key, counting(0))).isEqualTo(0x907A56DE22C26E53L);
        assertThat(HighwayHash.hash64(key, counting(5))).isEqualTo(0x2B8A1668E4A94541L);
        assertThat(HighwayHash.hash64(key, counting(19))).isEqualTo(0x75D9518E2371C504L);
        assertThat(HighwayHash.hash64(key, counting(31))).isEqualTo(0x9FC7007CCF035A68L);
        assertThat(HighwayHash.hash64(key, counting(35))).isEqualTo(0x4FC1F5EF2752AA9BL);
    }

    @Test
    void sipHashHasTheVectorOfItsPaper() {
        assertThat(SipHash.hash(0x0706050403020100L, 0x0F0E0D0C0B0A0908L, counting(15)))
                .isEqualTo(0xA129CA6149BE45E5L);
    }

    @Test
    void blake2bHasTheVectorOfItsRfc() {
        assertThat(
                        HexFormat.of()
                                .formatHex(
                                        Blake2b.hash(
                                                "abc".getBytes(StandardCharsets.UTF_8),
                                                new byte[0],
                                                64)))
                .startsWith("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1")
                .endsWith("d4009923");
    }
}
