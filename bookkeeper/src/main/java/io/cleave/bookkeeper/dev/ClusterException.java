package io.cleave.bookkeeper.dev;

/// The cluster cannot do what was asked. The message says why, and what to do.
public final class ClusterException extends Exception {
    ClusterException(String message) {
        super(message);
    }
}
