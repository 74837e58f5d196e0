package io.cleave.rpc;

import io.cleave.base.Env;

import java.time.Duration;

/// Pings both ways: answers those of a client, unless it sends too many, and asks one that has been
/// silent whether it is still there.
///
/// Threads: the connection's.
final class Pings {
    /// A client may be too quick so often. Pings beside the answers to its calls are not counted:
    /// so clients measure how much a connection bears.
    private static final int PARDONED = 2;

    /// A client is silent if nothing came between so many looks at it.
    private static final int LOOKS = 4;

    private final Env env;
    private final Limits limits;
    private final Outbox outbox;
    private long lastNanos;
    private int tooSoon;
    private int silentLooks;
    private boolean asked;

    Pings(Env env, Limits limits, Outbox outbox) {
        this.env = env;
        this.limits = limits;
        this.outbox = outbox;
        this.lastNanos = env.nanoTime() - limits.leastPingInterval().toNanos();
    }

    void answer(long content) throws ProtocolException {
        long now = env.nanoTime();
        boolean answered = outbox.hasAnswered();
        if (!answered && now - lastNanos < limits.leastPingInterval().toNanos()) {
            tooSoon++;
            ProtocolException.check(
                    tooSoon <= PARDONED, Frames.ENHANCE_YOUR_CALM, "too_many_pings");
        } else {
            tooSoon = 0;
            lastNanos = now;
        }
        outbox.ping(Frames.ACK, content);
    }

    /// Something came from the client, whatever it was.
    void heard() {
        silentLooks = 0;
        asked = false;
    }

    /// How often [#askIfSilent] is to be called.
    Duration lookInterval() {
        return limits.pingInterval().dividedBy(LOOKS);
    }

    /// True if it had to ask.
    boolean askIfSilent() {
        silentLooks++;
        if (asked || silentLooks < LOOKS) {
            return false;
        }
        asked = true;
        outbox.ping(0, 0);
        return true;
    }

    boolean isUnanswered() {
        return asked;
    }
}
