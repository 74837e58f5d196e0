package io.cleave.rpc;

import io.grpc.Metadata;

import org.jspecify.annotations.Nullable;

/// A header: its name and its value, which are characters of Latin 1 as far as HTTP is concerned.
record Field(Name name, String value) {
    /// What HPACK adds to the size of each.
    private static final int OVERHEAD_BYTES = 32;

    static Field of(String name, String value) {
        return new Field(new Name(name), value);
    }

    int bytes() {
        return name.text.length() + value.length() + OVERHEAD_BYTES;
    }

    /// A name, with what is to be known of it whenever it comes: clients send the same few with
    /// every request, mostly as a number that stands for what they sent before.
    static final class Name {
        private static final String PUNCTUATION = "-_.";

        /// What HTTP allows besides, and gRPC does not.
        private static final String MORE_PUNCTUATION = "~!#$%&'*+^`|";

        private static final String BINARY = "-bin";

        private final String text;
        private final boolean legal;
        private final boolean ofGrpc;

        /// Whoever asks first makes it; another one would be equal.
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

        /// Whether HTTP/2 allows it; those that begin with a colon have rules of their own.
        boolean isLegal() {
            return legal;
        }

        /// Whether gRPC has such names; others are passed over.
        boolean isOfGrpc() {
            return ofGrpc;
        }

        /// Whether its values are bytes, in base64.
        boolean isBinary() {
            return text.endsWith(BINARY);
        }

        boolean isPseudo() {
            return text.startsWith(":");
        }

        /// The name as gRPC knows it, of a value that is a text.
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
