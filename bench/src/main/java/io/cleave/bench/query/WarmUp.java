package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.time.Duration;

/// Load before any measurement, until the JVMs of both sides have compiled the hot code. The first
/// seconds would measure the compiler.
final class WarmUp {
    private static final int CLIENTS = 16;
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private WarmUp() {}

    /// Runs until `answers` requests were answered, or for a minute and a half.
    static void run(Side side, int answers, Load.Clients clients) throws Exception {
        long until = System.nanoTime() + LIMIT.toNanos();
        double answered = 0;
        while (answered < answers && System.nanoTime() < until) {
            answered += side.measure(CLIENTS, clients, ROUND).perSecond() * ROUND.toSeconds();
        }
    }
}
