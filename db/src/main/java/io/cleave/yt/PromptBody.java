package io.cleave.yt;

import io.cleave.yt.command.NeedsThreadException;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/// The body of an answer that is made on a network thread. A longer body needs a thread that can
/// wait for its client.
///
/// Threads: one at a time.
final class PromptBody extends OutputStream {
    private byte[] bytes = new byte[0];
    private int count;

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        int after = count + length;
        if (after > AnswerBody.KEPT_BYTES) {
            throw new NeedsThreadException();
        }
        if (after > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(after, 2 * bytes.length));
        }
        System.arraycopy(source, offset, bytes, count, length);
        count = after;
    }

    /// Most bodies are written with one call, and are not copied.
    byte[] toArray() {
        return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
    }
}
