package io.cleave.rpc;

/// How much of each kind a client may send per second on one connection. Frames that honest clients
/// send often have limits far above what the calls of one connection need. Frames that they hardly
/// ever send have low limits.
///
/// @param resets calls that the client resets
/// @param forcedResets calls that the server resets because the client broke the rules of their
///   streams
/// @param emptyData DATA frames without data that do not end their stream
/// @param continuations CONTINUATION frames
/// @param priorities PRIORITY frames, which have no effect
/// @param settings SETTINGS frames
/// @param pings PING frames that need an answer
/// @param windowUpdates WINDOW_UPDATE frames
/// @param smallWindowUpdates WINDOW_UPDATE frames of less than [#SMALL_WINDOW_BYTES]
/// @param headerBlocks header blocks of requests
/// @param headerBytes decoded bytes of the header blocks
/// @param others frames that are ignored: acknowledgements and unknown types
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
    /// A window update of less than this would only be enough for a fragment of a message.
    static final int SMALL_WINDOW_BYTES = 64;

    /// The default limits.
    public static final FrameRates USUAL =
            new FrameRates(
                    2_000, 500, 1_000, 1_000, 1_000, 100, 10_000, 1_000_000, 10_000, 1_000_000,
                    1 << 30, 1_000);

    /// What is counted, with the words for error messages.
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
