package io.cleave.wire;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import io.cleave.rpc.RequestMarshaller;
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

/// Bytes that are no protobuf message are the client's mistake. gRPC by itself takes them for a
/// failure of the server and logs a stack.
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

    /// Gives `malformed` for what it cannot read; nobody else has that very object. Fields that are
    /// not known are dropped: a client could fill the memory with them.
    private static final class Marshaller<Q> implements RequestMarshaller<Q> {
        private final MethodDescriptor.Marshaller<Q> marshaller;
        private final Parser<Q> parser;
        private final ParsedSize size;
        private final Q malformed;

        @SuppressWarnings("unchecked") // a builder builds what it came from, and so does a parser
        Marshaller(PrototypeMarshaller<Q> marshaller) {
            this.marshaller = marshaller;
            Message prototype = (Message) Objects.requireNonNull(marshaller.getMessagePrototype());
            this.malformed = (Q) prototype.newBuilderForType().build();
            Parser<? extends Message> parser = prototype.getParserForType();
            // A newer client's `include_set_val` is read from there: see TableSchemes.
            boolean keepsUnknown = prototype instanceof DescribeTableRequest;
            this.parser =
                    (Parser<Q>) (keepsUnknown ? parser : DiscardUnknownFieldsParser.wrap(parser));
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
                return parser.parseFrom(message);
            } catch (InvalidProtocolBufferException unreadable) {
                return malformed;
            }
        }

        @Override
        public Q parse(InputStream stream) {
            try {
                return parser.parseFrom(stream);
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
        @SuppressWarnings("ReferenceEquality") // that very object
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
