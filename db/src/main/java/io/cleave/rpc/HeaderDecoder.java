package io.cleave.rpc;

import static io.cleave.rpc.Frames.COMPRESSION_ERROR;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/// Decodes HPACK header blocks (RFC 7541). Both sides keep a table of earlier fields, so every
/// block has to be decoded, even for calls that are refused.
///
/// Threads: only the connection's.
final class HeaderDecoder {
    /// The size of the dynamic table. This is HPACK's default, which peers assume.
    private static final int TABLE_BYTES = 4_096;

    private static final int LEAST_FIELD_BYTES = 32;
    private static final int MOST_INTEGER_SHIFT = 28;

    /// A connection keeps a buffer of at most this size. A longer text has its own.
    private static final int MAX_KEPT_BUFFER_BYTES = 1 << 10;

    private final int maxTextBytes;

    /// A ring: the newest field is at `newest`, older ones follow.
    private final @Nullable Field[] ring = new Field[TABLE_BYTES / LEAST_FIELD_BYTES];

    private int newest;
    private int count;
    private int bytes;
    private int capacityBytes = TABLE_BYTES;
    private byte[] text = new byte[256];

    HeaderDecoder(int maxTextBytes) {
        this.maxTextBytes = maxTextBytes;
    }

    /// Decodes a whole block, up to the end of `in`.
    void decode(ByteBuf in, Consumer<Field> fields) throws ProtocolException {
        boolean begun = false;
        while (in.isReadable()) {
            int first = in.readUnsignedByte();
            if ((first & 0x80) != 0) {
                fields.accept(field(integer(in, first, 7)));
            } else if ((first & 0x40) != 0) {
                Field field = literal(in, integer(in, first, 6));
                add(field);
                fields.accept(field);
            } else if ((first & 0x20) != 0) {
                check(!begun, "a change of the table's size after the first field");
                resize(integer(in, first, 5));
                continue;
            } else {
                fields.accept(literal(in, integer(in, first, 4)));
            }
            begun = true;
        }
    }

    private Field literal(ByteBuf in, int nameIndex) throws ProtocolException {
        if (nameIndex == 0) {
            return Field.of(text(in), text(in));
        }
        return new Field(field(nameIndex).name(), text(in));
    }

    private Field field(int index) throws ProtocolException {
        check(index > 0, "index 0");
        if (index <= StaticTable.SIZE) {
            return StaticTable.field(index);
        }
        int age = index - StaticTable.SIZE - 1;
        check(age < count, "an index behind the table's end");
        return Objects.requireNonNull(ring[(newest + age) % ring.length]);
    }

    private void add(Field field) {
        evict(capacityBytes - field.bytes());
        if (field.bytes() > capacityBytes) {
            return;
        }
        newest = (newest + ring.length - 1) % ring.length;
        ring[newest] = field;
        count++;
        bytes += field.bytes();
    }

    private void resize(int askedBytes) throws ProtocolException {
        check(askedBytes <= TABLE_BYTES, "a larger table than was agreed on");
        capacityBytes = askedBytes;
        evict(askedBytes);
    }

    /// Removes the oldest fields until at most `mostBytes` are left.
    private void evict(int mostBytes) {
        while (count > 0 && bytes > mostBytes) {
            count--;
            int oldest = (newest + count) % ring.length;
            bytes -= Objects.requireNonNull(ring[oldest]).bytes();
            // Without this, each place of the ring could keep a field as large as the whole table.
            ring[oldest] = null;
        }
    }

    /// How many fields the ring refers to; for tests.
    int heldFields() {
        return (int) Arrays.stream(ring).filter(Objects::nonNull).count();
    }

    /// The size of the buffer for decoded texts; for tests.
    int heldBufferBytes() {
        return text.length;
    }

    private String text(ByteBuf in) throws ProtocolException {
        check(in.isReadable(), "a block that ends within a field");
        int first = in.readUnsignedByte();
        int length = integer(in, first, 7);
        check(length <= in.readableBytes(), "a block that ends within a text");
        check(length <= maxTextBytes, "a text that is too long");
        if ((first & 0x80) == 0) {
            return in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        }
        byte[] decoded = buffer(Huffman.mostChars(length));
        int chars = Huffman.decode(in, length, decoded);
        check(chars >= 0, "a text that is no Huffman code");
        return new String(decoded, 0, chars, StandardCharsets.ISO_8859_1);
    }

    private byte[] buffer(int leastBytes) {
        if (leastBytes <= text.length) {
            return text;
        }
        byte[] larger = new byte[leastBytes];
        if (leastBytes <= MAX_KEPT_BUFFER_BYTES) {
            text = larger;
        }
        return larger;
    }

    /// Reads an HPACK integer. It begins with the low bits of a byte, and continues in the next
    /// bytes if these bits are all ones.
    private static int integer(ByteBuf in, int first, int bits) throws ProtocolException {
        int most = (1 << bits) - 1;
        int low = first & most;
        if (low < most) {
            return low;
        }
        long value = most;
        for (int shift = 0; ; shift += 7) {
            check(shift <= MOST_INTEGER_SHIFT && in.isReadable(), "a number that does not end");
            int next = in.readUnsignedByte();
            value += (long) (next & 0x7f) << shift;
            if ((next & 0x80) == 0) {
                check(value <= Integer.MAX_VALUE, "a number that is too large");
                return (int) value;
            }
        }
    }

    private static void check(boolean holds, String message) throws ProtocolException {
        ProtocolException.check(holds, COMPRESSION_ERROR, message);
    }
}
