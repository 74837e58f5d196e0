package io.cleave.rpc;

import io.grpc.MethodDescriptor;

/// Parses requests, and knows beforehand what that will take.
///
/// Threads: any.
public interface RequestMarshaller<Q> extends MethodDescriptor.Marshaller<Q> {
    /// Memory that a message will take when it has been parsed, as an estimate. Throws an
    /// `io.grpc.StatusRuntimeException` if the message has more elements than one may have.
    long parsedBytes(byte[] message);

    Q parse(byte[] message);
}
