package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;

/// Statistics of a table's content.
///
/// ```
/// varint  rows              keys whose newest version is not an ERASE
/// varint  versions          all entries
/// varint  erases            entries that are an ERASE
/// varint  raw_bytes         of the blocks, uncompressed
/// varint  key_bytes         of the key blocks in the file
/// varint  number of families stored apart; for each: varint bytes of its blocks in the file
/// u64     min_timestamp
/// u64     max_timestamp
/// u64     earliest_expiry   in microseconds since 1970; the greatest number is never
/// u64     latest_expiry
/// bytes   first key, last key: each with its length before it
/// ```
///
/// @param familyBytes empty if the fields are stored with the keys
public record TableStatistics(
        long rows,
        long versions,
        long erases,
        long rawBytes,
        long keyBytes,
        List<Long> familyBytes,
        long minTimestamp,
        long maxTimestamp,
        long earliestExpiry,
        long latestExpiry,
        Bytes firstKey,
        Bytes lastKey) {
    public TableStatistics {
        familyBytes = List.copyOf(familyBytes);
    }

    void writeTo(ByteWriter out) {
        out.putVarLong(rows);
        out.putVarLong(versions);
        out.putVarLong(erases);
        out.putVarLong(rawBytes);
        out.putVarLong(keyBytes);
        out.putVarInt(familyBytes.size());
        familyBytes.forEach(out::putVarLong);
        out.putLong(minTimestamp);
        out.putLong(maxTimestamp);
        out.putLong(earliestExpiry);
        out.putLong(latestExpiry);
        out.putBytes(firstKey);
        out.putBytes(lastKey);
    }

    /// The bytes must have passed their checksum.
    static TableStatistics readFrom(ByteReader in) {
        return new TableStatistics(
                in.getVarLong(),
                in.getVarLong(),
                in.getVarLong(),
                in.getVarLong(),
                in.getVarLong(),
                readBytes(in),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getBytes(),
                in.getBytes());
    }

    private static List<Long> readBytes(ByteReader in) {
        int count = in.getVarInt();
        List<Long> bytes = new ArrayList<>();
        for (int family = 0; family < count; family++) {
            bytes.add(in.getVarLong());
        }
        return bytes;
    }
}
