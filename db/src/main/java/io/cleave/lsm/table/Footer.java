package io.cleave.lsm.table;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The last 56 bytes of a table file; a reader begins here. Little-endian.
///
/// ```
///  0  u64  meta_offset     where the meta block starts
///  8  u32  meta_length     its bytes, up to this footer
/// 12  u64  blob            the id that the file was written under   see TableIdentity
/// 20  u64  cell            which wrote it
/// 28  u64  file_bytes      this footer included
/// 36  u32  file_checksum   CRC32 (not CRC32C) of all before this footer
/// 40  u32  format          2; a change of any part of a table file is a new number
/// 44  u32  checksum        CRC32C of bytes 0..44
/// 48  u64  magic           a table file
/// ```
///
/// A companion blob ends with the same footer; its meta block is empty. Format 1 had no bytes 12 to
/// 40: its footer has 28 bytes, and its companions have no footer. Format 1 is still read, but no
/// longer written.
///
/// @param identity null in format 1
record Footer(long metaOffset, int metaLength, @Nullable TableIdentity identity) {
    private static final int MAGIC_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;
    private static final int FORMAT_BYTES = 4;
    private static final int META_BYTES = 8 + 4;

    /// The end of the footer, which is the same in every format.
    private static final int END_BYTES = FORMAT_BYTES + CHECKSUM_BYTES + MAGIC_BYTES;

    static final int OLD_BYTES = META_BYTES + END_BYTES;
    static final int BYTES = META_BYTES + TableIdentity.BYTES + END_BYTES;

    static final int OLD_FORMAT = 1;
    static final int FORMAT = 2;

    /// "CLVTABLE", read as bytes.
    private static final long MAGIC = 0x454c_4241_5456_4c43L;

    /// A footer to be written. `checksum` is that of all bytes before the footer.
    Footer(TableMeta.Part meta, long blobId, long cellId, int checksum) {
        this(
                meta.offset(),
                meta.length(),
                new TableIdentity(blobId, cellId, meta.offset() + meta.length() + BYTES, checksum));
    }

    /// The identity; fails for a footer of format 1.
    TableIdentity known() {
        TableIdentity known = identity;
        if (known == null) {
            throw new IllegalStateException("a footer without an identity");
        }
        return known;
    }

    ByteBuffer encode() {
        TableIdentity known = known();
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(metaOffset).putInt(metaLength);
        bytes.putLong(known.blobId()).putLong(known.cellId());
        bytes.putLong(known.bytes()).putInt(known.checksum());
        bytes.putInt(FORMAT);
        int checksum = checksum(bytes, bytes.position());
        return bytes.putInt(checksum).putLong(MAGIC).flip();
    }

    /// Reads the footer of the blob, and checks that it was written under this id.
    static Footer read(BlobReader blob, long blobId) {
        long size = blob.size();
        if (size < OLD_BYTES) {
            throw new CorruptionException(blob.name(), 0, "too short for a table file");
        }
        long end = size - END_BYTES;
        ByteBuffer last = blob.read(end, END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (last.getLong(FORMAT_BYTES + CHECKSUM_BYTES) != MAGIC) {
            throw new CorruptionException(blob.name(), size - MAGIC_BYTES, "not a table file");
        }
        int format = last.getInt(0);
        if (format != FORMAT && format != OLD_FORMAT) {
            throw new CorruptionException(
                    blob.name(), end, "format " + format + " is not known here");
        }
        int length = format == OLD_FORMAT ? OLD_BYTES : BYTES;
        if (size < length) {
            throw new CorruptionException(blob.name(), 0, "too short for a table file");
        }
        long offset = size - length;
        ByteBuffer bytes = blob.read(offset, length).order(ByteOrder.LITTLE_ENDIAN);
        int checked = length - CHECKSUM_BYTES - MAGIC_BYTES;
        if (bytes.getInt(checked) != checksum(bytes, checked)) {
            throw new CorruptionException(blob.name(), offset, "the footer's checksum is wrong");
        }
        long metaOffset = bytes.getLong();
        int metaLength = bytes.getInt();
        if (metaOffset + metaLength != offset) {
            throw new CorruptionException(blob.name(), offset, "the parts do not add up");
        }
        if (format == OLD_FORMAT) {
            return new Footer(metaOffset, metaLength, null);
        }
        var identity =
                new TableIdentity(
                        bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getInt());
        if (identity.blobId() != blobId || identity.bytes() != size) {
            throw new CorruptionException(
                    blob.name(),
                    offset,
                    "this is another file: its footer says that it is " + identity);
        }
        return new Footer(metaOffset, metaLength, identity);
    }

    int format() {
        return identity == null ? OLD_FORMAT : FORMAT;
    }

    private static int checksum(ByteBuffer bytes, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes.slice(0, length));
        return (int) checksum.getValue();
    }
}
