package io.cleave.lsm;

/// How a block's bytes are stored. The numbers are on disk.
public enum Compression {
    NONE(0),
    LZ4(1);

    final byte code;

    Compression(int code) {
        this.code = (byte) code;
    }
}
