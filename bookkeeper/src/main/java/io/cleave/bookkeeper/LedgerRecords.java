package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.CorruptionException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

import java.util.ArrayList;
import java.util.List;

/// The records of one ledger entry: several small records, or a part of one that is too large for
/// an entry. The checksums are BookKeeper's. Little-endian.
///
/// ```
///  0  u8   kind        1: whole records, 2: a part of one
///  1  u64  epoch       of the writer
///  9  u64  position    of the first record
/// 17  u32  count       of records; or of the parts that the record has
/// 21  u32  part        0 for whole records; else the number of this part, from 0
/// 25  ...  whole records: u32 length and bytes of each. A part: its bytes
/// ```
///
/// @param records whole records; or one element, which is the part
record LedgerRecords(long epoch, long position, int part, int parts, List<Bytes> records) {
    /// Keeps an entry well below BookKeeper's frame size (5 MB).
    static final int MAX_ENTRY_BYTES = 1 << 20;

    static final int HEADER_BYTES = 1 + 8 + 8 + 4 + 4;
    static final int LENGTH_BYTES = 4;

    /// Bytes of a large record in one entry.
    static final int PART_BYTES = MAX_ENTRY_BYTES - HEADER_BYTES;

    private static final byte WHOLE = 1;
    private static final byte PART = 2;

    LedgerRecords {
        records = List.copyOf(records);
    }

    /// The size of the record in an entry with others.
    static int bytesOf(Bytes record) {
        return LENGTH_BYTES + record.length();
    }

    /// Whether the record needs several entries.
    static boolean isLarge(Bytes record) {
        return HEADER_BYTES + bytesOf(record) > MAX_ENTRY_BYTES;
    }

    /// The number of entries that a large record takes.
    static int partsOf(Bytes record) {
        return Math.ceilDiv(record.length(), PART_BYTES);
    }

    /// The position after these records. For a part that is not the last one, the position of its
    /// record.
    long end() {
        if (parts == 0) {
            return position + records.size();
        }
        return part == parts - 1 ? position + 1 : position;
    }

    boolean isPart() {
        return parts > 0;
    }

    /// Encodes an entry of whole records. The receiver must release the buffer.
    static ByteBuf encode(long epoch, long position, List<Bytes> records) {
        int bytes = HEADER_BYTES;
        for (Bytes record : records) {
            bytes += bytesOf(record);
        }
        ByteBuf entry = ByteBufAllocator.DEFAULT.directBuffer(bytes);
        writeHeader(entry, WHOLE, epoch, position, records.size(), 0);
        for (Bytes record : records) {
            entry.writeIntLE(record.length());
            entry.writeBytes(record.array());
        }
        return entry;
    }

    /// Encodes an entry with one part of a large record.
    static ByteBuf encodePart(long epoch, long position, Bytes record, int part) {
        int from = part * PART_BYTES;
        int to = Math.min(record.length(), from + PART_BYTES);
        Check.that(from < to, "part %d of %d bytes", part, record.length());
        ByteBuf entry = ByteBufAllocator.DEFAULT.directBuffer(HEADER_BYTES + to - from);
        writeHeader(entry, PART, epoch, position, partsOf(record), part);
        entry.writeBytes(record.array(), from, to - from);
        return entry;
    }

    private static void writeHeader(
            ByteBuf entry, byte kind, long epoch, long position, int count, int part) {
        entry.writeByte(kind);
        entry.writeLongLE(epoch);
        entry.writeLongLE(position);
        entry.writeIntLE(count);
        entry.writeIntLE(part);
    }

    /// `ledger` and `entryId` are for messages.
    static LedgerRecords decode(String ledger, long entryId, ByteBuf entry) {
        try {
            byte kind = entry.readByte();
            long epoch = entry.readLongLE();
            long position = entry.readLongLE();
            int count = entry.readIntLE();
            int part = entry.readIntLE();
            return switch (kind) {
                case WHOLE -> new LedgerRecords(epoch, position, 0, 0, wholeRecords(entry, count));
                case PART ->
                        new LedgerRecords(
                                epoch,
                                position,
                                part,
                                count,
                                List.of(bytes(entry, entry.readableBytes())));
                default ->
                        throw new CorruptionException(ledger, entryId, "an entry of kind " + kind);
            };
        } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new CorruptionException(ledger, entryId, "an entry that ends too early: " + e);
        }
    }

    private static List<Bytes> wholeRecords(ByteBuf entry, int count) {
        List<Bytes> records = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            records.add(bytes(entry, entry.readIntLE()));
        }
        return records;
    }

    private static Bytes bytes(ByteBuf entry, int length) {
        byte[] bytes = new byte[length];
        entry.readBytes(bytes);
        return Bytes.wrap(bytes);
    }
}
