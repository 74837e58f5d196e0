package io.cleave.rpc;

/// How much of each kind a client may send within a second, on one connection. What honest clients
/// send in numbers has a bound that is far above what one connection can carry of it in calls; what
/// they hardly ever send has a low one.
///
/// @param resets calls that the client resets
/// @param forcedResets calls that the client makes us reset, by breaking the rules of their streams
/// @param emptyData frames of data that have none, and do not end their stream
/// @param continuations frames that go on with headers
/// @param priorities frames that say which stream goes first, which nobody heeds
/// @param settings frames with settings
/// @param pings that are to be answered
/// @param windowUpdates frames that let us send more
/// @param smallWindowUpdates those that let us send less than [#SMALL_WINDOW_BYTES]
/// @param headerBlocks headers of requests
/// @param headerBytes what they take when they are unpacked
/// @param others frames that are passed over: acknowledgements, and types that nobody knows
public record FrameRates(
        int resets,
        int forcedResets,
        int emptyData,
        int continuations,
        int priorities,
        int settings,
        int pings,
        int windowUpdates,
        int smallWindowUpdates,
        int headerBlocks,
        int headerBytes,
        int others) {
    /// A window that grows by less is for a fragment of a message.
    static final int SMALL_WINDOW_BYTES = 64;

    /// What a server allows that knows nothing better.
    public static final FrameRates USUAL =
            new FrameRates(
                    2_000, 500, 1_000, 1_000, 1_000, 100, 10_000, 1_000_000, 10_000, 1_000_000,
                    1 << 30, 1_000);

    /// What is counted, and how it is called.
    enum Kind {
        RESETS("RST_STREAM frames"),
        FORCED_RESETS("streams that had to be reset"),
        EMPTY_DATA("empty DATA frames"),
        CONTINUATIONS("CONTINUATION frames"),
        PRIORITIES("PRIORITY frames"),
        SETTINGS("SETTINGS frames"),
        PINGS("PING frames"),
        WINDOW_UPDATES("WINDOW_UPDATE frames"),
        SMALL_WINDOW_UPDATES("WINDOW_UPDATE frames of less than 64 bytes"),
        HEADER_BLOCKS("requests"),
        HEADER_BYTES("bytes of headers"),
        OTHERS("frames without a use");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    int perSecond(Kind kind) {
        return switch (kind) {
            case RESETS -> resets;
            case FORCED_RESETS -> forcedResets;
            case EMPTY_DATA -> emptyData;
            case CONTINUATIONS -> continuations;
            case PRIORITIES -> priorities;
            case SETTINGS -> settings;
            case PINGS -> pings;
            case WINDOW_UPDATES -> windowUpdates;
            case SMALL_WINDOW_UPDATES -> smallWindowUpdates;
            case HEADER_BLOCKS -> headerBlocks;
            case HEADER_BYTES -> headerBytes;
            case OTHERS -> others;
        };
    }
}
