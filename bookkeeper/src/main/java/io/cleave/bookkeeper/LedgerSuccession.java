package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.BKException;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Finds a new ledger for a writer whose current one takes no more entries. Threads: the writer's.
final class LedgerSuccession {
    /// The pause between two attempts.
    private static final Duration PAUSE = Duration.ofMillis(200);

    /// A process that fences a ledger to write the log changes the list soon after.
    private static final Duration FENCE_PATIENCE = Duration.ofSeconds(1);

    private final Env env;
    private final LedgerChain chain;
    private final long epoch;

    /// Whether the writer may still append. For a closed writer, attempts stop after a while.
    private final BooleanSupplier isAlive;

    LedgerSuccession(Env env, LedgerChain chain, long epoch, BooleanSupplier isAlive) {
        this.env = env;
        this.chain = chain;
        this.epoch = epoch;
        this.isAlive = isAlive;
    }

    /// If the ledger was fenced, waits whether the list gets a newer epoch, and throws then.
    /// Returns after a while if it does not, because then the fencing process was no writer.
    void awaitRival(Throwable cause) {
        if (Ledgers.codeOf(cause) != BKException.Code.LedgerFencedException) {
            return;
        }
        long deadline = env.nanoTime() + FENCE_PATIENCE.toNanos();
        while (env.nanoTime() < deadline) {
            try {
                chain.check(epoch);
            } catch (FencedException e) {
                throw e;
            } catch (LogException e) {
                return; // ZooKeeper does not answer; the next step asks it again
            }
            pause();
        }
    }

    /// Seals the ledger and begins another. Repeats this for as long as the writer lives.
    LedgerChain.Head next(Throwable cause) {
        long endedSince = 0;
        while (true) {
            try {
                return chain.extend(epoch, chain.seal(epoch));
            } catch (FencedException e) {
                throw e;
            } catch (LogException e) {
                e.addSuppressed(cause);
                long now = env.nanoTime();
                if (!isAlive.getAsBoolean()) {
                    endedSince = endedSince == 0 ? now : endedSince;
                    if (now - endedSince >= chain.ledgers().settings().stallTimeout().toNanos()) {
                        throw e;
                    }
                }
                pause();
            }
        }
    }

    private void pause() {
        try {
            env.sleep(PAUSE);
        } catch (InterruptedException e) {
            // Nobody interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }
}
