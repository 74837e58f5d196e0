package io.cleave.wire.value;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// One reply of ExecuteQuery, as bytes. The result set comes as bytes already; it goes before the
/// other fields, which is valid because the fields of a message may come in any order.
public final class EncodedPart {
    public static final MethodDescriptor.Marshaller<EncodedPart> MARSHALLER = new Marshaller();

    private final byte[] data;
    private final int from;
    private final int length;

    private EncodedPart(byte[] data, int from, int length) {
        this.data = data;
        this.from = from;
        this.length = length;
    }

    public static EncodedPart of(ExecuteQueryResponsePart message) {
        return of(message.toByteArray(), null);
    }

    /// Adds the result set to the encoded message `rest`. The caller must not use the buffer
    /// afterwards; `rest` is not changed.
    public static EncodedPart of(byte[] rest, @Nullable WireBuffer resultSet) {
        if (resultSet == null) {
            return new EncodedPart(rest, 0, rest.length);
        }
        resultSet.enclose(ExecuteQueryResponsePart.RESULT_SET_FIELD_NUMBER);
        resultSet.append(rest, 0, rest.length);
        return new EncodedPart(resultSet.array(), resultSet.from(), resultSet.length());
    }

    private static final class Marshaller implements MethodDescriptor.Marshaller<EncodedPart> {
        @Override
        public InputStream stream(EncodedPart part) {
            return new PartStream(part);
        }

        @Override
        public EncodedPart parse(InputStream stream) {
            throw new UnsupportedOperationException("a server sends these and gets none");
        }
    }

    /// A stream that is written to the connection in one piece.
    private static final class PartStream extends ByteArrayInputStream
            implements KnownLength, Drainable {
        PartStream(EncodedPart part) {
            super(part.data, part.from, part.length);
        }

        @Override
        public int drainTo(OutputStream to) throws IOException {
            int left = count - pos;
            to.write(buf, pos, left);
            pos = count;
            return left;
        }
    }
}
