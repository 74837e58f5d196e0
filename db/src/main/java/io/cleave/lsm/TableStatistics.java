package io.cleave.lsm;

import io.cleave.base.Bytes;

/// What a table holds, without reading it.
///
/// ```
/// u64     rows            keys whose newest version is not an ERASE
/// u64     versions        all entries
/// u64     raw_bytes       of the blocks, uncompressed
/// u64     min_timestamp
/// u64     max_timestamp
/// varint  bytes of the first key, varint bytes of the last key, both keys
/// ```
///
/// Little-endian.
record TableStatistics(
        long rows,
        long versions,
        long rawBytes,
        long minTimestamp,
        long maxTimestamp,
        Bytes firstKey,
        Bytes lastKey) {
    Output encode() {
        return new Output(64 + firstKey.length() + lastKey.length())
                .putLong(rows)
                .putLong(versions)
                .putLong(rawBytes)
                .putLong(minTimestamp)
                .putLong(maxTimestamp)
                .putVarint(firstKey.length())
                .putVarint(lastKey.length())
                .put(firstKey.array(), 0, firstKey.length())
                .put(lastKey.array(), 0, lastKey.length());
    }

    /// The bytes must have passed their checksum.
    static TableStatistics decode(byte[] encoded) {
        int at = 5 * 8;
        int firstBytes = Varint.readInt(encoded, at);
        at += Varint.bytes(firstBytes);
        int lastBytes = Varint.readInt(encoded, at);
        at += Varint.bytes(lastBytes);
        return new TableStatistics(
                (long) Output.LONG.get(encoded, 0),
                (long) Output.LONG.get(encoded, 8),
                (long) Output.LONG.get(encoded, 16),
                (long) Output.LONG.get(encoded, 24),
                (long) Output.LONG.get(encoded, 32),
                Bytes.copyOf(encoded, at, at + firstBytes),
                Bytes.copyOf(encoded, at + firstBytes, at + firstBytes + lastBytes));
    }
}
