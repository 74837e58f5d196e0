package io.cleave.rpc;

/// The last streams that were answered before the client had sent everything. What the client still
/// sends on them is ignored.
///
/// Threads: only the connection's.
final class EarlyEnds {
    private static final int NO_STREAM = 0;

    private final int[] streams = new int[32];
    private int count;

    void add(int stream) {
        streams[count++ % streams.length] = stream;
    }

    boolean contains(int stream) {
        for (int early : streams) {
            if (early == stream) {
                return true;
            }
        }
        return false;
    }

    /// The client has reset the stream, so nothing more can arrive on it.
    void remove(int stream) {
        for (int index = 0; index < streams.length; index++) {
            if (streams[index] == stream) {
                streams[index] = NO_STREAM;
            }
        }
    }
}
