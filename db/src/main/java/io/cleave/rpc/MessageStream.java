package io.cleave.rpc;

import io.grpc.KnownLength;

import java.io.ByteArrayInputStream;

/// The bytes of a message, whose length is known: so they are read at once.
final class MessageStream extends ByteArrayInputStream implements KnownLength {
    MessageStream(byte[] message) {
        super(message);
    }
}
