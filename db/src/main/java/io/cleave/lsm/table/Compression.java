package io.cleave.lsm.table;

/// How a block's bytes are stored. The numbers are on disk.
public enum Compression {
    NONE(0),
    LZ4(1);

    final byte code;

    Compression(int code) {
        this.code = (byte) code;
    }

    static Compression of(int code) {
        return switch (code) {
            case 0 -> NONE;
            case 1 -> LZ4;
            default -> throw new IllegalStateException("compression " + code);
        };
    }
}
