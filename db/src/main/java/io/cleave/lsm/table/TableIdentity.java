package io.cleave.lsm.table;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;

/// The identity of a table file. It is stored in the footer of the file and in the record that
/// names the file. The two are compared when the file is opened, so a file in the place of another
/// is found without reading all of it.
///
/// @param blobId the id that the file was written under
/// @param cellId the cell that wrote it; tablets of other cells may have slices of it by now
/// @param bytes the size of the whole file, footer included
/// @param checksum CRC32 of all bytes before the footer. CRC32C would not work here: the CRC32C of
///   a block followed by its own CRC32C is the same for every block, so it would say nothing about
///   their content
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
