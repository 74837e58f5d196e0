package io.cleave.control;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The plans that users ask for are made one after the other, so that the balancer waits for one of
/// them at most.
///
/// Threads: any.
final class PlanTurns {
    /// Limit of the plans that are made or wait. Each holds a thread of the server.
    static final int MOST = 16;

    private final Semaphore places = new Semaphore(MOST);
    private final ReentrantLock turn = new ReentrantLock();

    /// Makes a plan when it is its turn. Throws OVERLOADED if too many plans wait.
    <T> T take(Supplier<T> plan) {
        if (!places.tryAcquire()) {
            throw new StatusException(
                    Status.OVERLOADED,
                    "%d plans of the balancer are being made; retry later".formatted(MOST));
        }
        try {
            turn.lock();
            try {
                return plan.get();
            } finally {
                turn.unlock();
            }
        } finally {
            places.release();
        }
    }
}
