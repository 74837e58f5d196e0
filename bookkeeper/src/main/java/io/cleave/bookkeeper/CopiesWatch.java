package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.net.BookieId;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Looks now and then whether the ledger that a log is in has fewer copies than another one would:
/// one of its bookies is gone and there is a spare one, or there were too few when it was made.
final class CopiesWatch {
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration BETWEEN_TRIES = Duration.ofMinutes(5);
    private static final long NONE = -1;

    private final Env env;
    private final Bookies bookies;
    private final Supplier<WriteHandle> ledger;
    private final BooleanSupplier isOver;
    private volatile long shortLedgerId = NONE;

    /// With which a ledger was found short, and when. The next one should be as good as they allow;
    /// if it is not, it is tried again, but not often. The watch's own.
    private Set<BookieId> tried = Set.of();

    private long triedNanos;

    CopiesWatch(Env env, Bookies bookies, Supplier<WriteHandle> ledger, BooleanSupplier isOver) {
        this.env = env;
        this.bookies = bookies;
        this.ledger = ledger;
        this.isOver = isOver;
    }

    void start(String name) {
        env.spawn(name, this::run);
    }

    /// Whether the log is to go on in another ledger.
    boolean isShort(long ledgerId) {
        return shortLedgerId == ledgerId;
    }

    private void run() {
        try {
            while (!isOver.getAsBoolean()) {
                env.sleep(STEP);
                try {
                    look();
                } catch (LogException e) {
                    // ZooKeeper does not answer; nothing was found.
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        WriteHandle present = ledger.get();
        Set<BookieId> writable = bookies.writable();
        if (!bookies.isShort(present.getLedgerMetadata(), writable)) {
            tried = Set.of();
        } else if (!writable.equals(tried)
                || env.nanoTime() - triedNanos >= BETWEEN_TRIES.toNanos()) {
            tried = writable;
            triedNanos = env.nanoTime();
            shortLedgerId = present.getId();
        }
    }
}
