package io.cleave.rpc;

import io.grpc.Metadata;
import io.grpc.Status;

import org.jspecify.annotations.Nullable;

/// Decides from its headers whether a request is a gRPC call, and makes the header blocks that
/// answer a call which is not started.
///
/// Threads: any.
final class Refusals {
    private Refusals() {}

    /// The answer to a request that is not a gRPC call; null if it is one.
    static byte @Nullable [] of(RequestHead head, int maxHeaderBytes) {
        if (head.isTooLarge()) {
            return http(431, "Headers exceed %d bytes".formatted(maxHeaderBytes));
        }
        if (!head.method().equals("POST")) {
            return http(405, "Method '%s' is not supported".formatted(head.method()));
        }
        if (!head.isOfGrpc()) {
            return http(415, "Content-Type '%s' is not supported".formatted(head.contentType()));
        }
        return null;
    }

    private static byte[] http(int httpStatus, String why) {
        return HeaderBlocks.http(httpStatus, Status.INTERNAL.withDescription(why));
    }

    static byte[] unknownMethod(RequestHead head) {
        String name = head.path().substring(1);
        return of(Status.UNIMPLEMENTED.withDescription("Method not found: " + name));
    }

    static byte[] unknownEncoding(RequestHead head) {
        return of(
                Status.UNIMPLEMENTED.withDescription(
                        "Can't find decompressor for " + head.encoding()));
    }

    static byte[] of(Status status) {
        return HeaderBlocks.only(status, new Metadata());
    }
}
