package io.cleave.rpc;

import io.grpc.MethodDescriptor;

/// Parses requests, and estimates beforehand how much memory that will take.
///
/// Threads: any.
public interface RequestMarshaller<Q> extends MethodDescriptor.Marshaller<Q> {
    /// Estimated memory of the parsed message. Throws an `io.grpc.StatusRuntimeException` if the
    /// message has too many elements.
    long parsedBytes(byte[] message);

    Q parse(byte[] message);
}
