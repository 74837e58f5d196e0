package io.cleave.rpc;

import io.grpc.Metadata;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A header: name and value. For HTTP, both are Latin-1 text.
record Field(Name name, String value) {
    /// HPACK's overhead of each field in its size calculation.
    private static final int OVERHEAD_BYTES = 32;

    static Field of(String name, String value) {
        return new Field(Name.of(name), value);
    }

    int bytes() {
        return name.text.length() + value.length() + OVERHEAD_BYTES;
    }

    /// A header name with its properties, which are computed once. Clients send the same few names
    /// with every request, mostly as an index into the table of earlier ones.
    static final class Name {
        private static final String PUNCTUATION = "-_.";

        /// Characters that HTTP allows in a name and gRPC does not.
        private static final String MORE_PUNCTUATION = "~!#$%&'*+^`|";

        private static final String BINARY = "-bin";

        /// Names that gRPC's clients send with every request. A client whose values change with
        /// each request fills the table of earlier fields, and then sends the names as text again.
        private static final Map<String, Name> FREQUENT =
                Stream.of(
                                "content-type",
                                "grpc-accept-encoding",
                                "grpc-encoding",
                                "grpc-timeout",
                                "te",
                                "traceparent",
                                "user-agent",
                                "x-ydb-application-name",
                                "x-ydb-auth-ticket",
                                "x-ydb-client-capabilities",
                                "x-ydb-client-pid",
                                "x-ydb-database",
                                "x-ydb-request-type",
                                "x-ydb-sdk-build-info",
                                "x-ydb-trace-id")
                        .collect(Collectors.toMap(Function.identity(), Name::new));

        private final String text;
        private final boolean binary;
        private final boolean pseudo;
        private final boolean legal;
        private final boolean ofGrpc;

        /// Created on first use. Threads may race here; the keys that they create are equal.
        private Metadata.@Nullable Key<String> key;

        private Name(String text) {
            this.text = text;
            this.binary = text.endsWith(BINARY);
            this.pseudo = text.startsWith(":");
            this.ofGrpc = !text.equals(BINARY) && hasOnly(text, PUNCTUATION);
            this.legal = ofGrpc || hasOnly(text, PUNCTUATION + MORE_PUNCTUATION);
        }

        static Name of(String text) {
            Name frequent = FREQUENT.get(text);
            return frequent == null ? new Name(text) : frequent;
        }

        String text() {
            return text;
        }

        /// Whether HTTP/2 allows the name. Pseudo-headers, which begin with a colon, have their own
        /// rules.
        boolean isLegal() {
            return legal;
        }

        /// Whether gRPC allows the name. Headers with other names are ignored.
        boolean isOfGrpc() {
            return ofGrpc;
        }

        /// Whether its values are bytes in base64.
        boolean isBinary() {
            return binary;
        }

        boolean isPseudo() {
            return pseudo;
        }

        /// The name as gRPC's key of a text value.
        Metadata.Key<String> key() {
            Metadata.Key<String> known = key;
            if (known == null) {
                known = Metadata.Key.of(text, Metadata.ASCII_STRING_MARSHALLER);
                key = known;
            }
            return known;
        }

        /// Whether the text has characters, and each is a lower-case letter, a digit or one of
        /// `punctuation`. A loop: some clients send names that are not in the table.
        private static boolean hasOnly(String text, String punctuation) {
            for (int at = 0; at < text.length(); at++) {
                char c = text.charAt(at);
                boolean allowed =
                        (c >= 'a' && c <= 'z')
                                || (c >= '0' && c <= '9')
                                || punctuation.indexOf(c) >= 0;
                if (!allowed) {
                    return false;
                }
            }
            return !text.isEmpty();
        }
    }
}
