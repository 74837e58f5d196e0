package io.cleave.exec.spill;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.LittleEndian;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Rows of one run in a file. They are written sequentially, then read sequentially any number of
/// times. Closing deletes the file. Threads: one at a time.
///
/// ```
/// chunks, each:
///   u32  bytes that follow
///   rows: see ValueStream
/// ```
public final class SpillFile implements AutoCloseable {
    private static final int CHUNK_BYTES = 32 << 10;

    /// The memory that a chunk takes while it is written or read. Its last row may go beyond
    /// `CHUNK_BYTES`.
    private static final int BUFFER_BYTES = CHUNK_BYTES + CHUNK_BYTES / 4;

    private final SpillFolder folder;
    private final Path path;
    private final QueryMemory.Share buffers;

    /// The chunk that is being written; null if there is none.
    private @Nullable ByteWriter chunk;

    private @Nullable FileChannel channel;
    private long bytes;
    private long rows;

    /// The memory of the file's chunks is counted in `buffers`.
    SpillFile(SpillFolder folder, Path path, QueryMemory.Share buffers) {
        this.folder = folder;
        this.path = path;
        this.buffers = buffers;
    }

    public long rows() {
        return rows;
    }

    void add(Value[] row) {
        ByteWriter to = chunk;
        if (to == null) {
            buffers.count(BUFFER_BYTES);
            to = new ByteWriter(BUFFER_BYTES);
            chunk = to;
        }
        if (to.length() == 0) {
            to.putInt(0);
        }
        ValueStream.write(to, row);
        rows++;
        if (to.length() >= CHUNK_BYTES) {
            flush(to);
        }
    }

    private void flush(ByteWriter from) {
        int length = from.length();
        if (length == 0) {
            return;
        }
        LittleEndian.putInt(from.array(), 0, length - Integer.BYTES);
        folder.take(length);
        bytes += length;
        try {
            ByteBuffer all = ByteBuffer.wrap(from.array(), 0, length);
            FileChannel to = channel();
            while (all.hasRemaining()) {
                to.write(all);
            }
        } catch (IOException failure) {
            throw failed("write", failure);
        }
        from.clear();
        if (from.array().length > 2 * BUFFER_BYTES) {
            // The buffer grew for one long row; the next rows do not need its size.
            dropChunk();
        }
    }

    private void dropChunk() {
        if (chunk != null) {
            chunk = null;
            buffers.count(-BUFFER_BYTES);
        }
    }

    /// Writes the rows that are in memory. More rows may follow; they take memory again.
    void flush() {
        ByteWriter from = chunk;
        if (from != null) {
            flush(from);
            dropChunk();
        }
    }

    private FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            channel = open;
        }
        return open;
    }

    private StatusException failed(String what, IOException failure) {
        return new StatusException(
                Status.UNAVAILABLE,
                "Cannot " + what + " rows of the query on disk: " + failure.getMessage());
    }

    /// Returns the offset from which the rows added from now on can be read.
    long endChunk() {
        ByteWriter from = chunk;
        if (from != null) {
            flush(from);
        }
        return bytes;
    }

    /// All rows from the first one. Nothing may be added afterwards.
    public Rows read() {
        flush();
        return new Reader(0, true);
    }

    /// The rows that were added after [#endChunk] returned the offset. The memory of this reader is
    /// not counted: it is for callers that read only a few rows.
    Rows read(long offset) {
        flush();
        return new Reader(offset, false);
    }

    @Override
    public void close() {
        dropChunk();
        folder.giveBack(bytes);
        bytes = 0;
        try {
            if (channel != null) {
                channel.close();
                channel = null;
                Files.deleteIfExists(path);
            }
        } catch (IOException failure) {
            throw failed("remove", failure);
        }
    }

    private final class Reader implements Rows {
        private long offset;
        private final boolean counted;
        private boolean holdsChunk;
        private ByteReader in = new ByteReader(new byte[0], 0, 0);

        Reader(long offset, boolean counted) {
            this.offset = offset;
            this.counted = counted;
        }

        @Override
        public Value @Nullable [] next() {
            if (!in.hasMore() && !nextChunk()) {
                return null;
            }
            return ValueStream.read(in);
        }

        private boolean nextChunk() {
            if (offset >= bytes) {
                holdChunk(false);
                return false;
            }
            holdChunk(true);
            byte[] length = read(Integer.BYTES);
            byte[] data = read(LittleEndian.getInt(length, 0));
            in = new ByteReader(data, 0, data.length);
            return true;
        }

        private void holdChunk(boolean holds) {
            if (counted && holds != holdsChunk) {
                holdsChunk = holds;
                buffers.count(holds ? BUFFER_BYTES : -BUFFER_BYTES);
            }
        }

        private byte[] read(int count) {
            ByteBuffer buffer = ByteBuffer.allocate(count);
            try {
                FileChannel from = channel();
                while (buffer.hasRemaining()) {
                    int got = from.read(buffer, offset + buffer.position());
                    if (got < 0) {
                        throw new IOException("it ends at " + offset);
                    }
                }
            } catch (IOException failure) {
                throw failed("read", failure);
            }
            offset += count;
            return buffer.array();
        }
    }
}
