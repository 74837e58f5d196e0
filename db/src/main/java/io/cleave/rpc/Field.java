package io.cleave.rpc;

import io.grpc.Metadata;

import org.jspecify.annotations.Nullable;

/// A header: name and value. For HTTP, both are Latin-1 text.
record Field(Name name, String value) {
    /// HPACK's overhead of each field in its size calculation.
    private static final int OVERHEAD_BYTES = 32;

    static Field of(String name, String value) {
        return new Field(new Name(name), value);
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

        private final String text;
        private final boolean legal;
        private final boolean ofGrpc;

        /// Created on first use. Threads may race here; the keys that they create are equal.
        private Metadata.@Nullable Key<String> key;

        private Name(String text) {
            this.text = text;
            this.ofGrpc =
                    !text.isEmpty()
                            && !text.equals(BINARY)
                            && text.chars().allMatch(c -> isLegal(c, PUNCTUATION));
            this.legal =
                    ofGrpc
                            || (!text.isEmpty()
                                    && text.chars()
                                            .allMatch(
                                                    c ->
                                                            isLegal(
                                                                    c,
                                                                    PUNCTUATION
                                                                            + MORE_PUNCTUATION)));
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
            return text.endsWith(BINARY);
        }

        boolean isPseudo() {
            return text.startsWith(":");
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

        private static boolean isLegal(int c, String punctuation) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || punctuation.indexOf(c) >= 0;
        }
    }
}
