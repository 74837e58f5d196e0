package io.cleave.rpc;

import io.grpc.Attributes;
import io.grpc.ServerCall;

import org.jspecify.annotations.Nullable;

/// Keeps one object of the services for each connection, for as long as the connection lives: what
/// all its calls share, so that it is not made for each of them.
///
/// Threads: that of the connection, on which calls begin.
public final class ConnectionSlot {
    static final Attributes.Key<ConnectionSlot> KEY = Attributes.Key.create("connection-slot");

    private @Nullable Object content;

    ConnectionSlot() {}

    /// The slot of the call's connection; null if another transport made the call.
    public static @Nullable ConnectionSlot of(ServerCall<?, ?> call) {
        return call.getAttributes().get(KEY);
    }

    public @Nullable Object content() {
        return content;
    }

    public void keep(Object newContent) {
        content = newContent;
    }
}
