package io.cleave.http;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Bytes of a body in the parts in which they arrived. Short parts are joined, since each part
/// takes some memory that is not counted, and a client may send a body in chunks of one byte.
///
/// Threads: one at a time.
final class BodyParts {
    /// Short parts are joined until they have this many bytes.
    private static final int JOINED_BYTES = 16 << 10;

    private static final byte[] EMPTY = {};

    private final List<byte[]> parts = new ArrayList<>();

    /// The last part is `last[0, lastBytes)`.
    private byte[] last = EMPTY;

    private int lastBytes;

    /// Adds a part. The caller does not write to the array afterwards.
    void add(byte[] part) {
        int joined = lastBytes + part.length;
        if (lastBytes == 0 || joined > JOINED_BYTES) {
            endLast();
            last = part;
            lastBytes = part.length;
            return;
        }
        if (joined > last.length) {
            last = Arrays.copyOf(last, Math.clamp(2L * joined, joined, JOINED_BYTES));
        }
        System.arraycopy(part, 0, last, lastBytes, part.length);
        lastBytes = joined;
    }

    private void endLast() {
        if (lastBytes > 0) {
            parts.add(lastBytes == last.length ? last : Arrays.copyOf(last, lastBytes));
            last = EMPTY;
            lastBytes = 0;
        }
    }

    /// Removes the first part; null if there is none.
    byte @Nullable [] poll() {
        if (parts.isEmpty()) {
            endLast();
        }
        return parts.isEmpty() ? null : parts.removeFirst();
    }

    /// All parts, in their order.
    List<byte[]> all() {
        endLast();
        return parts;
    }

    void clear() {
        parts.clear();
        last = EMPTY;
        lastBytes = 0;
    }
}
