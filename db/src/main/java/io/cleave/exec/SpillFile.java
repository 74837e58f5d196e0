package io.cleave.exec;

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

/// Rows of one run in a file: written in a row, then read in a row, as often as wanted; gone when
/// it is closed. Threads: one at a time.
///
/// ```
/// chunks, each:
///   u32  bytes that follow
///   rows: see ValueStream
/// ```
final class SpillFile implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final SpillFolder folder;
    private final Path path;
    private final ByteWriter chunk = new ByteWriter(CHUNK_BYTES + CHUNK_BYTES / 4);
    private @Nullable FileChannel channel;
    private long bytes;
    private long rows;

    SpillFile(SpillFolder folder, Path path) {
        this.folder = folder;
        this.path = path;
    }

    long rows() {
        return rows;
    }

    void add(Value[] row) {
        if (chunk.length() == 0) {
            chunk.putInt(0);
        }
        ValueStream.write(chunk, row);
        rows++;
        if (chunk.length() >= CHUNK_BYTES) {
            flush();
        }
    }

    private void flush() {
        int length = chunk.length();
        if (length == 0) {
            return;
        }
        LittleEndian.putInt(chunk.array(), 0, length - Integer.BYTES);
        folder.take(length);
        bytes += length;
        try {
            ByteBuffer all = ByteBuffer.wrap(chunk.array(), 0, length);
            FileChannel to = channel();
            while (all.hasRemaining()) {
                to.write(all);
            }
        } catch (IOException failure) {
            throw failed("write", failure);
        }
        chunk.clear();
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

    /// Rows that are added from now on can be read from the offset that it returns.
    long endChunk() {
        flush();
        return bytes;
    }

    /// All rows from the first. Nothing more may be added.
    Rows read() {
        return read(0);
    }

    /// All rows that were added after [#endChunk] had returned the offset.
    Rows read(long offset) {
        flush();
        return new Reader(offset);
    }

    @Override
    public void close() {
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
        private ByteReader in = new ByteReader(new byte[0], 0, 0);

        Reader(long offset) {
            this.offset = offset;
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
                return false;
            }
            byte[] length = read(Integer.BYTES);
            byte[] data = read(LittleEndian.getInt(length, 0));
            in = new ByteReader(data, 0, data.length);
            return true;
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
