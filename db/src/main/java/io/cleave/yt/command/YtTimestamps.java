package io.cleave.yt.command;

import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.OptionalLong;

/// Translates between timestamps of the store, which are about microseconds, and those of YTsaurus.
///
/// ```
/// bits  0..29  a counter: microseconds of the second, times 1073
/// bits 30..61  seconds since 1970
/// ```
///
/// The translation keeps the order. Every timestamp of the store becomes exactly one timestamp of
/// YTsaurus. A client may send a timestamp that lies between two of these. It is read as the
/// earlier one, so that a read sees what was committed up to it.
public final class YtTimestamps {
    /// Reads the newest rows.
    public static final long SYNC_LAST_COMMITTED = 0x3fffffffffffff01L;

    /// Reads the newest rows. In YTsaurus, this may read a replica that lags behind.
    public static final long ASYNC_LAST_COMMITTED = 0x3fffffffffffff04L;

    public static final long MIN = 1;
    public static final long MAX = 0x3fffffffffffff00L;

    private static final int COUNTER_BITS = 30;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /// The greatest factor with which all microseconds of a second fit into the counter.
    private static final long STEP = (1L << COUNTER_BITS) / MICROS_PER_SECOND;

    private YtTimestamps() {}

    /// The timestamp that clients see for one of the store.
    public static long toYt(long micros) {
        return Math.floorDiv(micros, MICROS_PER_SECOND) << COUNTER_BITS
                | Math.floorMod(micros, MICROS_PER_SECOND) * STEP;
    }

    /// The latest timestamp of the store that is not after the given one.
    public static long toMicros(long timestamp) {
        long seconds = timestamp >> COUNTER_BITS;
        long counter = timestamp & ((1L << COUNTER_BITS) - 1);
        return seconds * MICROS_PER_SECOND + Math.min(counter / STEP, MICROS_PER_SECOND - 1);
    }

    /// The timestamp in the form of an answer.
    public static YsonNode node(long micros) {
        return new YsonNode.Uint64(toYt(micros));
    }

    /// The timestamp of the store at which a command reads; empty if it reads the newest rows.
    public static OptionalLong readAt(CommandParameters parameters, String name) {
        return parameters.find(name).map(value -> micros(name, value)).orElse(OptionalLong.empty());
    }

    private static OptionalLong micros(String name, YsonNode value) {
        long timestamp =
                switch (value.bare()) {
                    case YsonNode.Int64(long number) -> number;
                    case YsonNode.Uint64(long number) -> number;
                    default ->
                            throw new YtException(
                                    YtCodes.GENERIC,
                                    "Cannot parse parameter /%s: expected \"uint64\", got \"%s\""
                                            .formatted(name, CommandParameters.typeName(value)));
                };
        if (timestamp == SYNC_LAST_COMMITTED || timestamp == ASYNC_LAST_COMMITTED) {
            return OptionalLong.empty();
        }
        if (timestamp < MIN || timestamp > MAX) {
            throw new YtException(
                    YtCodes.GENERIC, "Invalid read timestamp %x".formatted(timestamp));
        }
        return timestamp == MAX ? OptionalLong.empty() : OptionalLong.of(toMicros(timestamp));
    }
}
