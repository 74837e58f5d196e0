package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.BKException;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// How a writer comes to another ledger when the one it has takes no more. Threads: the writer's.
final class LedgerSuccession {
    /// Between two tries.
    private static final Duration PAUSE = Duration.ofMillis(200);

    /// Who fences a ledger in order to write the log changes the list soon after.
    private static final Duration FENCE_PATIENCE = Duration.ofSeconds(1);

    private final Env env;
    private final LedgerChain chain;
    private final long epoch;

    /// Whether the writer may still append: for one that was closed it is tried only for a while.
    private final BooleanSupplier isAlive;

    LedgerSuccession(Env env, LedgerChain chain, long epoch, BooleanSupplier isAlive) {
        this.env = env;
        this.chain = chain;
        this.epoch = epoch;
        this.isAlive = isAlive;
    }

    /// If the ledger was fenced: returns when the list has no newer epoch after a while, for then
    /// it was no writer who did that.
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
                return; // ZooKeeper does not answer; going on asks it again
            }
            pause();
        }
    }

    /// Seals the ledger and begins another, and tries that for as long as the writer lives.
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
