package io.cleave.bench.query;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// Forwards calls of any kind to another server, message by message, as bytes. The other server
/// sees the address that the client used.
final class Forwarding implements ServerCallHandler<byte[], byte[]> {
    private final Channel to;
    private final MethodDescriptor<byte[], byte[]> method;

    Forwarding(Channel to, MethodDescriptor<byte[], byte[]> method) {
        this.to = to;
        this.method = method;
    }

    static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNKNOWN)
                .setFullMethodName(name)
                .setRequestMarshaller(Bytes.MARSHALLER)
                .setResponseMarshaller(Bytes.MARSHALLER)
                .build();
    }

    @Override
    public ServerCall.Listener<byte[]> startCall(
            ServerCall<byte[], byte[]> here, Metadata headers) {
        String authority = here.getAuthority();
        CallOptions options =
                authority == null
                        ? CallOptions.DEFAULT
                        : CallOptions.DEFAULT.withAuthority(authority);
        ClientCall<byte[], byte[]> there = to.newCall(method, options);
        there.start(new Answers(here), headers);
        there.request(Integer.MAX_VALUE);
        here.request(Integer.MAX_VALUE);
        return new Questions(there);
    }

    private static final class Questions extends ServerCall.Listener<byte[]> {
        private final ClientCall<byte[], byte[]> there;

        Questions(ClientCall<byte[], byte[]> there) {
            this.there = there;
        }

        @Override
        public void onMessage(byte[] message) {
            there.sendMessage(message);
        }

        @Override
        public void onHalfClose() {
            there.halfClose();
        }

        @Override
        public void onCancel() {
            there.cancel("the client is gone", null);
        }
    }

    private static final class Answers extends ClientCall.Listener<byte[]> {
        private final ServerCall<byte[], byte[]> here;

        Answers(ServerCall<byte[], byte[]> here) {
            this.here = here;
        }

        @Override
        public void onHeaders(Metadata headers) {
            here.sendHeaders(headers);
        }

        @Override
        public void onMessage(byte[] message) {
            here.sendMessage(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            here.close(status, trailers);
        }
    }

    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        MARSHALLER;

        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
