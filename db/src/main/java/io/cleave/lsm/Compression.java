package io.cleave.lsm;

/// How a block's bytes are stored. The numbers are on disk.
public enum Compression {
    /// 0
    NONE,
    /// 1
    LZ4
}
