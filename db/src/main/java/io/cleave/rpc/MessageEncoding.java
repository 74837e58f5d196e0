package io.cleave.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;

/// The compression of request messages: none, or gzip. Replies are never compressed.
enum MessageEncoding {
    IDENTITY,
    GZIP;

    /// The ratio is not checked for messages that decompress to at most this size.
    private static final int FREE_UNPACKED_BYTES = 1 << 20;

    /// Limit of the uncompressed size in relation to the compressed one. Zeros reach 1,000;
    /// requests with many rows reach 5 to 20.
    private static final int MAX_RATIO = 100;

    private static final int BUFFER_BYTES = 8 << 10;

    /// A gzip stream ends with the length of its uncompressed content.
    private static final int LENGTH_BYTES = Integer.BYTES;

    private static final VarHandle LENGTH =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /// The encodings that clients are told they may use, besides identity.
    static final String ACCEPTED = "gzip";

    /// Null if the encoding is not known. No name means no compression.
    static @Nullable MessageEncoding of(@Nullable String name) {
        return switch (name) {
            case null -> IDENTITY;
            case "identity" -> IDENTITY;
            case "gzip" -> GZIP;
            default -> null;
        };
    }

    /// The uncompressed length of a message with the compressed flag, read from its last bytes.
    int unpackedBytes(byte[] packed, int maxBytes) {
        if (this == IDENTITY) {
            throw Status.INTERNAL
                    .withDescription(
                            "Can't decode compressed gRPC message as compression not configured")
                    .asRuntimeException();
        }
        if (packed.length < LENGTH_BYTES) {
            throw malformed("Not in GZIP format");
        }
        long bytes = Integer.toUnsignedLong((int) LENGTH.get(packed, packed.length - LENGTH_BYTES));
        if (bytes > maxBytes) {
            throw tooLarge(maxBytes);
        }
        if (bytes > FREE_UNPACKED_BYTES && bytes > (long) MAX_RATIO * packed.length) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "A compressed message of %d bytes expands to %d. A message that expands to more than %d bytes may grow at most %d times. Send it uncompressed"
                                    .formatted(
                                            packed.length, bytes, FREE_UNPACKED_BYTES, MAX_RATIO))
                    .asRuntimeException();
        }
        return (int) bytes;
    }

    private static StatusRuntimeException tooLarge(int maxBytes) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription("Decompressed gRPC message exceeds maximum size " + maxBytes)
                .asRuntimeException();
    }

    /// Decompresses a message; `unpackedBytes` is what [#unpackedBytes] returned.
    byte[] unpack(byte[] packed, int unpackedBytes) {
        try (var unpacking = new GZIPInputStream(new ByteArrayInputStream(packed), BUFFER_BYTES)) {
            byte[] message = new byte[unpackedBytes];
            int read = unpacking.readNBytes(message, 0, unpackedBytes);
            if (read < unpackedBytes || unpacking.read() >= 0) {
                throw malformed("its length differs from the length in its trailer");
            }
            return message;
        } catch (IOException e) {
            throw malformed(e.getMessage());
        }
    }

    private static StatusRuntimeException malformed(@Nullable String why) {
        return Status.INTERNAL
                .withDescription("A compressed message is not valid gzip: " + why)
                .asRuntimeException();
    }
}
