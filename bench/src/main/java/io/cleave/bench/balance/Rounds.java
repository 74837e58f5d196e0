package io.cleave.bench.balance;

import io.cleave.bench.Tablets;
import io.cleave.bench.Tablets.Tablet;

import java.time.Duration;
import java.util.List;

/// Waits for what the rounds of the balancer do to a table.
final class Rounds {
    /// Rounds have nothing to do any more if the tablets have not changed for this long. The period
    /// is a second.
    private static final Duration STABLE = Duration.ofSeconds(8);

    private static final Duration LONGEST = Duration.ofMinutes(4);
    private static final Duration LOOK = Duration.ofMillis(200);

    private Rounds() {}

    /// Waits until the tablets have changed and then stay as they are.
    static List<Tablet> settle(Tablets tablets) throws Exception {
        long until = System.nanoTime() + LONGEST.toNanos();
        List<Tablet> before = tablets.list();
        long changed = System.nanoTime();
        boolean isChanged = false;
        while (!isChanged || System.nanoTime() - changed < STABLE.toNanos()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("the rounds go on: " + tablets.why());
            }
            Thread.sleep(LOOK);
            List<Tablet> now = tablets.list();
            if (!now.equals(before)) {
                before = now;
                changed = System.nanoTime();
                isChanged = true;
            }
        }
        return before;
    }
}
