package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The moments that are being read, for many readers at a time: each counts in the stripe of its
/// thread, so that two hardly ever meet there. Most stripes have one reader at a time, for whom
/// there is a place that needs no lock.
///
/// Readers of one moment are alike. One that ends on another thread than it began on is counted out
/// wherever its moment is counted: what holds is the sum over the stripes.
///
/// Threads: any.
final class SharedSnapshots {
    /// A power of two, several times the threads that run at once.
    private static final int STRIPES = 32;

    private final Stripe[] stripes =
            Stream.generate(Stripe::new).limit(STRIPES).toArray(Stripe[]::new);

    /// Takes what `visible` says, which never falls.
    long take(LongSupplier visible) {
        return stripes[ownStripe()].take(visible);
    }

    void release(long moment) {
        int own = ownStripe();
        for (int offset = 0; offset < STRIPES; offset++) {
            if (stripes[(own + offset) % STRIPES].release(moment)) {
                return;
            }
        }
        Check.that(false, "moment %d is released that nobody has taken", moment);
    }

    /// The oldest that is being read, or `visible` if that is older. Whoever takes one from now on
    /// takes `visible` or a later one; those before that only become fewer while it looks, so none
    /// that stays is missed.
    long oldest(long visible) {
        long oldest = visible;
        for (Stripe stripe : stripes) {
            oldest = Math.min(oldest, stripe.oldestOr(visible));
        }
        return oldest;
    }

    private static int ownStripe() {
        return (int) Thread.currentThread().threadId() & (STRIPES - 1);
    }

    private static final class Stripe {
        private static final long NOBODY = -1;

        /// The moment of one reader; the others are counted in `live`.
        private final AtomicLong one = new AtomicLong(NOBODY);

        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final LiveSnapshots live = new LiveSnapshots();

        long take(LongSupplier visible) {
            long early = visible.getAsLong();
            if (!one.compareAndSet(NOBODY, early)) {
                return takeCounted(visible);
            }
            // Whoever has looked for the oldest and not seen this one began before, at a moment
            // that is no later than the one that is visible now.
            long moment = visible.getAsLong();
            // If another reader of the early moment has been counted out here, that one's count is
            // this one's now.
            return moment == early || one.compareAndSet(early, moment) ? moment : early;
        }

        private long takeCounted(LongSupplier visible) {
            lock.lock();
            try {
                long moment = visible.getAsLong();
                live.take(moment);
                return moment;
            } finally {
                lock.unlock();
            }
        }

        /// False if nobody who reads this moment is counted here.
        boolean release(long moment) {
            if (one.get() == moment && one.compareAndSet(moment, NOBODY)) {
                return true;
            }
            lock.lock();
            try {
                return live.release(moment);
            } finally {
                lock.unlock();
            }
        }

        long oldestOr(long none) {
            long only = one.get();
            long oldest = only == NOBODY ? none : Math.min(none, only);
            lock.lock();
            try {
                return live.isEmpty() ? oldest : Math.min(oldest, live.oldest());
            } finally {
                lock.unlock();
            }
        }
    }
}
