package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.net.BookieId;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Checks regularly whether the current ledger of a log has fewer copies than a new one would have.
/// The reason may be that one of its bookies is gone and there is a spare one, or that there were
/// too few bookies when it was created. Threads: any.
final class CopiesWatch {
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration BETWEEN_TRIES = Duration.ofMinutes(5);
    private static final long NONE = -1;

    private final Env env;
    private final Bookies bookies;
    private final Supplier<WriteHandle> ledger;
    private final BooleanSupplier isOver;
    private volatile long shortLedgerId = NONE;

    /// The writable bookies when a ledger was last found short, and the time. The next ledger
    /// should have as many copies as they allow. If it does not, another attempt is made, but not
    /// often. Used only by the watch's thread.
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

    /// Whether the log should continue in another ledger.
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
                    // ZooKeeper does not answer, so nothing was found.
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
