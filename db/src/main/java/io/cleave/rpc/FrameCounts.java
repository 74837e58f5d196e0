package io.cleave.rpc;

import io.cleave.base.Env;
import io.cleave.rpc.FrameRates.Kind;

import java.util.concurrent.TimeUnit;

/// Counts what a client sends of each kind, and ends the connection of one that sends too much of
/// it within a second. The clock is asked only when as much has come as a second may have, so that
/// honest clients hardly cost a look at it; a client may send twice as much in a burst.
///
/// Threads: the connection's.
final class FrameCounts {
    private static final Kind[] KINDS = Kind.values();
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Env env;
    private final int[] perSecond = new int[KINDS.length];
    private final long[] counts = new long[KINDS.length];

    /// Since when each is counted.
    private final long[] sinceNanos = new long[KINDS.length];

    FrameCounts(Env env, FrameRates rates) {
        this.env = env;
        long now = env.nanoTime();
        for (Kind kind : KINDS) {
            perSecond[kind.ordinal()] = rates.perSecond(kind);
            sinceNanos[kind.ordinal()] = now;
        }
    }

    void add(Kind kind) throws ProtocolException {
        add(kind, 1);
    }

    void add(Kind kind, long amount) throws ProtocolException {
        int index = kind.ordinal();
        counts[index] += amount;
        if (counts[index] > perSecond[index]) {
            checkTime(kind);
        }
    }

    private void checkTime(Kind kind) throws ProtocolException {
        int index = kind.ordinal();
        long now = env.nanoTime();
        if (now - sinceNanos[index] < SECOND_NANOS) {
            throw ProtocolException.ofConnection(
                    Frames.ENHANCE_YOUR_CALM,
                    "more than %d %s in a second".formatted(perSecond[index], kind.words()));
        }
        sinceNanos[index] = now;
        counts[index] = 0;
    }
}
