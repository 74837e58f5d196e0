package io.cleave.wire.value;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import io.grpc.Status;

import java.util.HashMap;
import java.util.Map;

/// Computes from the bytes of a message how much memory the parsed message will take: an empty
/// element has two bytes on the wire and about a hundred in memory. It walks over the bytes as the
/// parser will, and allocates no objects per element.
///
/// Threads: any.
public final class ParsedSize {
    /// Limit of elements in a message: inner messages, texts, and values of lists.
    static final int MAX_ELEMENTS = 4_000_000;

    /// Memory of a message without its fields, plus its place in a list.
    private static final int MESSAGE_BYTES = 80;

    /// Memory of a text or a byte string without its content.
    private static final int TEXT_BYTES = 56;

    /// Memory of a number in a oneof field.
    private static final int NUMBER_BYTES = 24;

    /// Memory of a number in a list. On the wire it takes at least one byte.
    private static final int LISTED_NUMBER_BYTES = 8;

    /// The parser's limit of nesting.
    private static final int MAX_DEPTH = 100;

    /// A varint has at most ten bytes of seven bits.
    private static final int MAX_VARINT_BITS = 10 * 7;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int GROUP_BEGIN = 3;
    private static final int GROUP_END = 4;
    private static final int FIXED32 = 5;

    private final Shape shape;

    private ParsedSize(Shape shape) {
        this.shape = shape;
    }

    public static ParsedSize of(Descriptor message) {
        return new ParsedSize(Shape.of(message, new HashMap<>()));
    }

    /// Bytes in memory. Throws a status if there are too many elements. If the bytes are not a
    /// valid message, it counts up to the place where the parser will stop.
    public long bytes(byte[] message) {
        var walk = new Walk(message);
        walk.message(shape, message.length, 0);
        return walk.bytes;
    }

    /// Which fields of a message type are messages or texts.
    private static final class Shape {
        private final Map<Integer, Shape> messages = new HashMap<>();
        private final Map<Integer, Boolean> texts = new HashMap<>();

        static Shape of(Descriptor message, Map<Descriptor, Shape> known) {
            Shape before = known.get(message);
            if (before != null) {
                return before;
            }
            Shape shape = new Shape();
            known.put(message, shape);
            for (FieldDescriptor field : message.getFields()) {
                switch (field.getType()) {
                    case MESSAGE, GROUP ->
                            shape.messages.put(
                                    field.getNumber(), of(field.getMessageType(), known));
                    case STRING, BYTES -> shape.texts.put(field.getNumber(), true);
                    default -> shape.texts.put(field.getNumber(), false);
                }
            }
            return shape;
        }
    }

    private static final class Walk {
        private final byte[] in;
        private int at;
        private int elements;
        private long bytes;

        Walk(byte[] in) {
            this.in = in;
        }

        /// Returns false where the parser will fail.
        private boolean message(Shape shape, int end, int depth) {
            count(MESSAGE_BYTES);
            if (depth > MAX_DEPTH) {
                return false;
            }
            while (at < end) {
                long tag = varint();
                if (tag < 0 || !field(shape, (int) (tag >>> 3), (int) tag & 7, end, depth)) {
                    return false;
                }
            }
            return at == end;
        }

        private boolean field(Shape shape, int number, int type, int end, int depth) {
            return switch (type) {
                case VARINT -> {
                    bytes += NUMBER_BYTES;
                    yield skipVarint();
                }
                case FIXED64 -> skipNumber(Long.BYTES, end);
                case FIXED32 -> skipNumber(Integer.BYTES, end);
                case LENGTH_DELIMITED -> {
                    long length = varint();
                    yield length >= 0
                            && length <= end - at
                            && content(shape, number, (int) length, depth);
                }
                // The fields of a group are counted as if they were outside of it.
                case GROUP_BEGIN, GROUP_END -> true;
                default -> false;
            };
        }

        private boolean content(Shape shape, int number, int length, int depth) {
            Shape inner = shape.messages.get(number);
            if (inner != null) {
                return message(inner, at + length, depth + 1);
            }
            Boolean text = shape.texts.get(number);
            // The content of an unknown field is skipped.
            if (text != null) {
                count(text ? TEXT_BYTES + length : (long) LISTED_NUMBER_BYTES * length);
            }
            at += length;
            return true;
        }

        private void count(long more) {
            bytes += more;
            elements++;
            if (elements > MAX_ELEMENTS) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription(
                                "A request may have at most %d elements: send fewer rows at once"
                                        .formatted(MAX_ELEMENTS))
                        .asRuntimeException();
            }
        }

        private boolean skipNumber(int length, int end) {
            bytes += NUMBER_BYTES;
            at += length;
            return at <= end;
        }

        private boolean skipVarint() {
            while (at < in.length) {
                if (in[at++] >= 0) {
                    return true;
                }
            }
            return false;
        }

        /// Reads a length or a tag as the parser does: at most ten bytes, keeping the low 32 bits.
        /// Negative if the number does not end.
        private long varint() {
            long value = 0;
            for (int shift = 0; shift < MAX_VARINT_BITS && at < in.length; shift += 7) {
                byte next = in[at++];
                if (shift < Integer.SIZE) {
                    value |= (long) (next & 0x7f) << shift;
                }
                if (next >= 0) {
                    return value & 0xffff_ffffL;
                }
            }
            return -1;
        }
    }
}
