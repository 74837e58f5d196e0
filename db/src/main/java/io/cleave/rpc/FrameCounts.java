package io.cleave.rpc;

import io.cleave.base.Env;
import io.cleave.rpc.FrameRates.Kind;

import java.util.EnumMap;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Counts what a client sends of each kind, and ends the connection if there is too much of one
/// kind within a second.
///
/// The clock is read only when a count reaches its limit per second, so it costs honest clients
/// almost nothing. As a consequence, a burst may have twice the limit.
///
/// Threads: only the connection's.
final class FrameCounts {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Env env;
    private final EnumMap<Kind, Count> counts = new EnumMap<>(Kind.class);

    /// The amount of one kind, and the time since when it was counted.
    private static final class Count {
        private final int perSecond;
        private long amount;
        private long sinceNanos;

        Count(int perSecond, long sinceNanos) {
            this.perSecond = perSecond;
            this.sinceNanos = sinceNanos;
        }
    }

    FrameCounts(Env env, FrameRates rates) {
        this.env = env;
        long now = env.nanoTime();
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Count(rates.perSecond(kind), now));
        }
    }

    void add(Kind kind) throws ProtocolException {
        add(kind, 1);
    }

    void add(Kind kind, long amount) throws ProtocolException {
        Count count = Objects.requireNonNull(counts.get(kind));
        count.amount += amount;
        if (count.amount > count.perSecond) {
            checkTime(kind, count);
        }
    }

    private void checkTime(Kind kind, Count count) throws ProtocolException {
        long now = env.nanoTime();
        if (now - count.sinceNanos < SECOND_NANOS) {
            throw ProtocolException.ofConnection(
                    Frames.ENHANCE_YOUR_CALM,
                    "more than %d %s in a second".formatted(count.perSecond, kind.words()));
        }
        count.sinceNanos = now;
        count.amount = 0;
    }
}
