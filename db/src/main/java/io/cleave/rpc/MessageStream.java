package io.cleave.rpc;

import io.grpc.KnownLength;

import java.io.ByteArrayInputStream;

/// The bytes of a message. The length is known, so a parser can read them at once.
final class MessageStream extends ByteArrayInputStream implements KnownLength {
    MessageStream(byte[] message) {
        super(message);
    }
}
