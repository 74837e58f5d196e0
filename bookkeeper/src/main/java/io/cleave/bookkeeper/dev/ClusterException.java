package io.cleave.bookkeeper.dev;

/// The cluster cannot do what was asked; the message says why, and what to do about it.
public final class ClusterException extends Exception {
    ClusterException(String message) {
        super(message);
    }
}
