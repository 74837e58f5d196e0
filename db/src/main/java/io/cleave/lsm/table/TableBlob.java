package io.cleave.lsm.table;

import io.cleave.blob.BlobWriter;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/// A blob of a table that is being written: the table file itself or a companion. Computes the
/// checksum for its [footer][Footer]. Threads: one.
final class TableBlob implements AutoCloseable {
    private final BlobWriter blob;
    private final CRC32 checksum = new CRC32();

    TableBlob(BlobWriter blob) {
        this.blob = blob;
    }

    long id() {
        return blob.id();
    }

    long offset() {
        return blob.offset();
    }

    void write(ByteBuffer bytes) {
        checksum.update(bytes.duplicate());
        blob.write(bytes);
    }

    /// Seals a companion.
    TableIdentity seal(long cellId) {
        return seal(new TableMeta.Part(offset(), 0), cellId);
    }

    /// Seals a table file after its meta block.
    TableIdentity seal(TableMeta.Part meta, long cellId) {
        var footer = new Footer(meta, id(), cellId, (int) checksum.getValue());
        blob.write(footer.encode());
        blob.seal();
        return footer.known();
    }

    @Override
    public void close() {
        blob.close();
    }
}
