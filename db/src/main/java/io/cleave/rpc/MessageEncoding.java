package io.cleave.rpc;

import io.grpc.Status;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/// How the messages of a request are packed: not at all, or with gzip. Replies never are.
enum MessageEncoding {
    IDENTITY,
    GZIP;

    /// What clients are told they may use, besides none.
    static final String ACCEPTED = "gzip";

    /// Null for one that is not known; none where the client says nothing.
    static @Nullable MessageEncoding of(@Nullable String name) {
        return switch (name) {
            case null -> IDENTITY;
            case "identity" -> IDENTITY;
            case "gzip" -> GZIP;
            default -> null;
        };
    }

    /// A message that says of itself that it is packed.
    byte[] unpack(byte[] packed, int maxBytes) {
        if (this == IDENTITY) {
            throw Status.INTERNAL
                    .withDescription(
                            "Can't decode compressed gRPC message as compression not configured")
                    .asRuntimeException();
        }
        try (var unpacking = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] message = unpacking.readNBytes(maxBytes + 1);
            if (message.length > maxBytes) {
                throw RpcCall.tooLarge(maxBytes).asRuntimeException();
            }
            return message;
        } catch (IOException e) {
            throw Status.INTERNAL
                    .withDescription("A message is not what gzip writes: " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException();
        }
    }
}
