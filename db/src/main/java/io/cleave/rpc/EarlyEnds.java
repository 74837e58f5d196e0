package io.cleave.rpc;

/// The last streams that were answered before their client had sent all. What it sends until it
/// knows is passed over.
///
/// Threads: the connection's.
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

    /// Nothing can be under way any more.
    void remove(int stream) {
        for (int index = 0; index < streams.length; index++) {
            if (streams[index] == stream) {
                streams[index] = NO_STREAM;
            }
        }
    }
}
