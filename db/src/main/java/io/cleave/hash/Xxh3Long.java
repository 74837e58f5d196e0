package io.cleave.hash;

import java.util.HexFormat;

/// XXH3 for inputs of more than 240 bytes: stripes of 64 bytes are accumulated in eight lanes.
final class Xxh3Long {
    static final byte[] SECRET =
            HexFormat.of()
                    .parseHex(
                            "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                                + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                                + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                                + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                                + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                                + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

    private static final int STRIPE_BYTES = 64;
    private static final int LANES = 8;
    private static final int SECRET_STEP_BYTES = 8;
    private static final int BLOCK_STRIPES = (192 - STRIPE_BYTES) / SECRET_STEP_BYTES;
    private static final int BLOCK_BYTES = STRIPE_BYTES * BLOCK_STRIPES;

    private final long[] lanes = {
        Xxh3.PRIME32_3,
        Xxh3.PRIME64_1,
        Xxh3.PRIME64_2,
        Xxh3.PRIME64_3,
        Xxh3.PRIME64_4,
        Xxh3.PRIME32_2,
        Xxh3.PRIME64_5,
        Xxh3.PRIME32_1
    };

    private Xxh3Long(byte[] data) {
        int blocks = (data.length - 1) / BLOCK_BYTES;
        for (int block = 0; block < blocks; block++) {
            for (int stripe = 0; stripe < BLOCK_STRIPES; stripe++) {
                gather(
                        data,
                        block * BLOCK_BYTES + stripe * STRIPE_BYTES,
                        stripe * SECRET_STEP_BYTES);
            }
            scramble();
        }
        int from = blocks * BLOCK_BYTES;
        int stripes = (data.length - 1 - from) / STRIPE_BYTES;
        for (int stripe = 0; stripe < stripes; stripe++) {
            gather(data, from + stripe * STRIPE_BYTES, stripe * SECRET_STEP_BYTES);
        }
        gather(data, data.length - STRIPE_BYTES, 192 - STRIPE_BYTES - 7);
    }

    static long hash64(byte[] data) {
        return new Xxh3Long(data).merged(11, data.length * Xxh3.PRIME64_1);
    }

    static Hash128 hash128(byte[] data) {
        var hash = new Xxh3Long(data);
        return new Hash128(
                hash.merged(11, data.length * Xxh3.PRIME64_1),
                hash.merged(192 - STRIPE_BYTES - 11, ~(data.length * Xxh3.PRIME64_2)));
    }

    private void gather(byte[] data, int at, int secretAt) {
        for (int lane = 0; lane < LANES; lane++) {
            long word = Words.int64(data, at + lane * Long.BYTES);
            long keyed = word ^ Xxh3.secret(secretAt + lane * Long.BYTES);
            lanes[lane ^ 1] += word;
            lanes[lane] += (keyed & 0xFFFFFFFFL) * (keyed >>> 32);
        }
    }

    private void scramble() {
        for (int lane = 0; lane < LANES; lane++) {
            long value = lanes[lane];
            value ^= value >>> 47;
            value ^= Xxh3.secret(192 - STRIPE_BYTES + lane * Long.BYTES);
            lanes[lane] = value * Xxh3.PRIME32_1;
        }
    }

    private long merged(int secretAt, long start) {
        long result = start;
        for (int pair = 0; pair < LANES / 2; pair++) {
            result +=
                    Xxh3.folded(
                            lanes[2 * pair] ^ Xxh3.secret(secretAt + 16 * pair),
                            lanes[2 * pair + 1] ^ Xxh3.secret(secretAt + 16 * pair + 8));
        }
        return Xxh3.avalanche(result);
    }
}
