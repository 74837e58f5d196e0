package io.cleave.rpc;

import io.grpc.Metadata;

import org.jspecify.annotations.Nullable;

/// A header: its name and its value, which are bytes of Latin 1 as far as HTTP is concerned.
///
/// Threads: of one connection, whose thread alone asks for the key.
final class Field {
    /// What HPACK adds to the size of each.
    private static final int OVERHEAD_BYTES = 32;

    private final String name;
    private final String value;
    private Metadata.@Nullable Key<String> key;

    Field(String name, String value) {
        this.name = name;
        this.value = value;
    }

    /// One of the same name.
    Field with(String otherValue) {
        Field other = new Field(name, otherValue);
        other.key = key;
        return other;
    }

    String name() {
        return name;
    }

    String value() {
        return value;
    }

    int bytes() {
        return name.length() + value.length() + OVERHEAD_BYTES;
    }

    /// The name as gRPC knows it. Names of values that are not text end with `-bin`, and have none.
    Metadata.Key<String> key() {
        Metadata.Key<String> known = key;
        if (known == null) {
            known = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
            key = known;
        }
        return known;
    }
}
