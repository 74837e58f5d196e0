package io.cleave.wire;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import io.cleave.rpc.RequestMarshaller;
import io.cleave.wire.value.ParsedSize;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;

import tech.ydb.proto.table.YdbTable.DescribeTableRequest;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Answers bytes that are not a protobuf message with INVALID_ARGUMENT. By default, gRPC treats
/// them as a failure of the server and logs a stack trace.
final class WellFormed {
    private WellFormed() {}

    static ServerServiceDefinition guard(ServerServiceDefinition service) {
        List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
        List<MethodDescriptor<?, ?>> descriptors = new ArrayList<>();
        for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
            ServerMethodDefinition<?, ?> guarded = guard(method);
            methods.add(guarded);
            descriptors.add(guarded.getMethodDescriptor());
        }
        var descriptor =
                io.grpc.ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName());
        descriptors.forEach(descriptor::addMethod);
        var builder = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(builder::addMethod);
        return builder.build();
    }

    private static <Q, R> ServerMethodDefinition<Q, R> guard(ServerMethodDefinition<Q, R> method) {
        MethodDescriptor<Q, R> descriptor = method.getMethodDescriptor();
        var marshaller =
                new Marshaller<>((PrototypeMarshaller<Q>) descriptor.getRequestMarshaller());
        return ServerMethodDefinition.create(
                descriptor.toBuilder(marshaller, descriptor.getResponseMarshaller()).build(),
                new Handler<>(method.getServerCallHandler(), marshaller.malformed));
    }

    /// Returns the object `malformed` for a message that it cannot read; no valid message is that
    /// object. Unknown fields are dropped, because a client could fill the memory with them.
    private static final class Marshaller<Q> implements RequestMarshaller<Q> {
        /// Only messages up to this size keep unknown fields. Such fields take up to fifty times
        /// their size on the wire, which [ParsedSize] does not count.
        private static final int MOST_KEEPING_BYTES = 4 << 10;

        private final MethodDescriptor.Marshaller<Q> marshaller;
        private final Parser<Q> parser;

        /// For messages up to [#MOST_KEEPING_BYTES].
        private final Parser<Q> smallParser;

        private final ParsedSize size;
        private final Q malformed;

        @SuppressWarnings("unchecked") // the type of the prototype
        Marshaller(PrototypeMarshaller<Q> marshaller) {
            this.marshaller = marshaller;
            Message prototype = (Message) Objects.requireNonNull(marshaller.getMessagePrototype());
            this.malformed = (Q) prototype.newBuilderForType().build();
            Parser<? extends Message> parser = prototype.getParserForType();
            // `include_set_val` of newer clients is an unknown field; TableSchemes reads it.
            boolean keepsUnknown = prototype instanceof DescribeTableRequest;
            this.parser = (Parser<Q>) DiscardUnknownFieldsParser.wrap(parser);
            this.smallParser = keepsUnknown ? (Parser<Q>) parser : this.parser;
            this.size = ParsedSize.of(prototype.getDescriptorForType());
        }

        @Override
        public InputStream stream(Q value) {
            return marshaller.stream(value);
        }

        @Override
        public long parsedBytes(byte[] message) {
            return size.bytes(message);
        }

        @Override
        public Q parse(byte[] message) {
            try {
                return (message.length <= MOST_KEEPING_BYTES ? smallParser : parser)
                        .parseFrom(message);
            } catch (InvalidProtocolBufferException unreadable) {
                return malformed;
            }
        }

        @Override
        public Q parse(InputStream stream) {
            try {
                return smallParser.parseFrom(stream);
            } catch (InvalidProtocolBufferException unreadable) {
                return malformed;
            }
        }
    }

    private record Handler<Q, R>(ServerCallHandler<Q, R> handler, Q malformed)
            implements ServerCallHandler<Q, R> {
        @Override
        public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
            return new Listener<>(handler.startCall(call, headers), call, malformed);
        }
    }

    private static final class Listener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, ?> call;
        private final Q malformed;
        private boolean refused;

        Listener(ServerCall.Listener<Q> listener, ServerCall<Q, ?> call, Q malformed) {
            super(listener);
            this.call = call;
            this.malformed = malformed;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // identity is meant: `malformed` is unique
        public void onMessage(Q message) {
            if (message == malformed) {
                refused = true;
                call.close(
                        Status.INVALID_ARGUMENT.withDescription(
                                "The request is not a valid protobuf message"),
                        new Metadata());
            } else {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}
