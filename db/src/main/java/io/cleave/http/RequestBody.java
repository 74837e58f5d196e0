package io.cleave.http;

import java.io.IOException;
import java.io.InputStream;

/// The body of a request, as its handler reads it.
sealed interface RequestBody permits BodyBuffer, ArrivingBody {
    /// Whether all of it has arrived before the handler began.
    boolean isWhole();

    /// The bytes that have arrived.
    long length();

    /// The whole body in one array. An [ArrivingBody] is only read as a stream.
    byte[] bytes();

    /// Reads the body from its beginning.
    InputStream stream();

    /// Drops what nobody has read, and waits for the end of the body. Throws if it does not come.
    void skipRest() throws IOException;
}
