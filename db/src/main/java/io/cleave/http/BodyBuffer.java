package io.cleave.http;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/// The body of a request, kept in the parts in which it arrived. So a large body is never copied to
/// make room for more bytes.
///
/// Threads: one at a time; the event loop writes before the handler reads.
final class BodyBuffer implements RequestBody {
    private final BodyParts parts = new BodyParts();
    private long length;

    void add(byte[] part) {
        parts.add(part);
        length += part.length;
    }

    /// The parts that have arrived.
    BodyParts parts() {
        return parts;
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public byte[] bytes() {
        List<byte[]> each = parts.all();
        if (each.size() == 1) {
            return each.getFirst();
        }
        byte[] all = new byte[Math.toIntExact(length)];
        int at = 0;
        for (byte[] part : each) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    @Override
    public InputStream stream() {
        return new Reader(parts.all());
    }

    @Override
    public void skipRest() {}

    private static final class Reader extends InputStream {
        private final List<byte[]> parts;
        private int part;
        private int at;

        Reader(List<byte[]> parts) {
            this.parts = parts;
        }

        @Override
        public int read() {
            return hasMore() ? parts.get(part)[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            if (!hasMore()) {
                return -1;
            }
            byte[] from = parts.get(part);
            int count = Math.min(length, from.length - at);
            System.arraycopy(from, at, target, offset, count);
            at += count;
            return count;
        }

        @Override
        public int available() {
            return hasMore() ? parts.get(part).length - at : 0;
        }

        /// Moves to the next part that has bytes.
        private boolean hasMore() {
            while (part < parts.size() && at == parts.get(part).length) {
                part++;
                at = 0;
            }
            return part < parts.size();
        }
    }
}
