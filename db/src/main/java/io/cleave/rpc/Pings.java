package io.cleave.rpc;

import io.cleave.base.Env;

/// Pings both ways: answers those of a client, unless it sends too many, and asks one that has been
/// silent whether it is still there.
///
/// Threads: the connection's.
final class Pings {
    /// A client may be too quick so often. Pings beside the answers to its calls are not counted:
    /// so clients measure how much a connection bears.
    private static final int PARDONED = 2;

    private final Env env;
    private final Limits limits;
    private final Outbox outbox;
    private long lastNanos;
    private int tooSoon;
    private boolean heard = true;
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
        heard = true;
        asked = false;
    }

    /// True if it had to ask.
    boolean askIfSilent() {
        if (heard) {
            heard = false;
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
