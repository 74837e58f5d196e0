package io.cleave.lsm;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

/// Which file a table file is: in its footer, and again in the record that names it. The two are
/// compared when the file is opened, so a file in the place of another is found without reading all
/// of it.
///
/// @param blobId the name that the file was written under
/// @param cellId of the cell that wrote it; tablets of other cells may have slices of it since
/// @param bytes of the whole file, the footer included
/// @param checksum CRC32 of all bytes before the footer. It is not CRC32C: that of a block with its
///   own CRC32C behind it is the same for every block, so it would tell nothing of what is in them
public record TableIdentity(long blobId, long cellId, long bytes, int checksum) {
    static final int BYTES = 8 + 8 + 8 + 4;

    void writeTo(ByteWriter out) {
        out.putLong(blobId);
        out.putLong(cellId);
        out.putLong(bytes);
        out.putInt(checksum);
    }

    static TableIdentity readFrom(ByteReader in) {
        return new TableIdentity(in.getLong(), in.getLong(), in.getLong(), in.getInt());
    }

    @Override
    public String toString() {
        return "blob %d of cell %d with %d bytes and checksum %08x"
                .formatted(blobId, cellId, bytes, checksum);
    }
}
