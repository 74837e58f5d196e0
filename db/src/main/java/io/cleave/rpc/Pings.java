package io.cleave.rpc;

import io.cleave.base.Env;

import java.time.Duration;

/// Pings in both directions: answers the client's pings, unless there are too many, and pings a
/// silent client.
///
/// Threads: only the connection's.
final class Pings {
    /// How many pings may come too soon. A ping that follows an answer to a call is not counted:
    /// clients use such pings to measure the bandwidth of a connection.
    private static final int PARDONED = 2;

    /// A client is silent if no frame arrived during this many checks.
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

    /// A frame of any type has arrived.
    void heard() {
        silentLooks = 0;
        asked = false;
    }

    /// How often [#askIfSilent] is to be called.
    Duration lookInterval() {
        return limits.pingInterval().dividedBy(LOOKS);
    }

    /// Returns true if it sent a ping.
    boolean askIfSilent() {
        silentLooks++;
        if (asked || silentLooks < LOOKS) {
            return false;
        }
        asked = true;
        outbox.ping(0, 0);
        return true;
    }

    /// Checks since the last frame; 0 for a client that is not silent.
    int silentLooks() {
        return silentLooks;
    }

    boolean isUnanswered() {
        return asked;
    }
}
