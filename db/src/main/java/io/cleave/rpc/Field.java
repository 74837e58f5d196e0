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
        private static final String PUNCTUATION = "-_.~!#$%&'*+^`|";

        private final String text;
        private final boolean legal;

        /// Whoever asks first makes it; another one would be equal.
        private Metadata.@Nullable Key<String> key;

        private Name(String text) {
            this.text = text;
            this.legal = !text.isEmpty() && text.chars().allMatch(Name::isLegal);
        }

        String text() {
            return text;
        }

        /// Whether HTTP/2 allows it; those that begin with a colon have rules of their own.
        boolean isLegal() {
            return legal;
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

        private static boolean isLegal(int c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || PUNCTUATION.indexOf(c) >= 0;
        }
    }
}
