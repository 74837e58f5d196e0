package io.cleave.hash;

/// SuperFastHash by Paul Hsieh.
public final class SuperFastHash {
    private SuperFastHash() {}

    public static int hash(byte[] data) {
        int hash = data.length;
        if (hash == 0) {
            return 0;
        }
        int at = 0;
        for (; at + 4 <= data.length; at += 4) {
            hash += int16(data, at);
            hash = hash << 16 ^ int16(data, at + 2) << 11 ^ hash;
            hash += hash >>> 11;
        }
        switch (data.length - at) {
            case 3 -> {
                hash += int16(data, at);
                hash ^= hash << 16;
                hash ^= data[at + 2] << 18;
                hash += hash >>> 11;
            }
            case 2 -> {
                hash += int16(data, at);
                hash ^= hash << 11;
                hash += hash >>> 17;
            }
            case 1 -> {
                hash += data[at];
                hash ^= hash << 10;
                hash += hash >>> 1;
            }
            default -> {}
        }
        hash ^= hash << 3;
        hash += hash >>> 5;
        hash ^= hash << 4;
        hash += hash >>> 17;
        hash ^= hash << 25;
        return hash + (hash >>> 6);
    }

    private static int int16(byte[] data, int at) {
        return (data[at] & 0xFF) | (data[at + 1] & 0xFF) << 8;
    }
}
