package io.cleave.rpc;

import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;

import java.io.InputStream;

/// A method of a service, with what each of its calls needs to know.
///
/// @param isLong whether its calls stay open for as long as the client wants
record BoundMethod<Q, R>(
        ServerMethodDefinition<Q, R> definition, RequestMarshaller<Q> marshaller, boolean isLong) {
    static <Q, R> BoundMethod<Q, R> of(ServerMethodDefinition<Q, R> definition, boolean isLong) {
        MethodDescriptor.Marshaller<Q> marshaller =
                definition.getMethodDescriptor().getRequestMarshaller();
        return new BoundMethod<>(
                definition,
                marshaller instanceof RequestMarshaller<Q> measuring
                        ? measuring
                        : new Unmeasured<>(marshaller),
                isLong);
    }

    /// Assumes that a parsed message is as large as its bytes.
    private record Unmeasured<Q>(MethodDescriptor.Marshaller<Q> marshaller)
            implements RequestMarshaller<Q> {
        @Override
        public InputStream stream(Q value) {
            return marshaller.stream(value);
        }

        @Override
        public Q parse(InputStream stream) {
            return marshaller.parse(stream);
        }

        @Override
        public Q parse(byte[] message) {
            return marshaller.parse(new MessageStream(message));
        }

        @Override
        public long parsedBytes(byte[] message) {
            return message.length;
        }
    }
}
