package io.cleave.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The moments that are being read, for many concurrent readers. Each reader is counted in the
/// stripe of its thread, so that two readers rarely meet. Most stripes have one reader at a time,
/// and a single reader needs no lock.
///
/// Readers of the same moment are interchangeable. A reader that ends on another thread is removed
/// from any stripe that counts its moment; only the sum over all stripes is exact.
///
/// Threads: any.
public final class SharedSnapshots {
    /// A power of two, several times the number of concurrent threads.
    private static final int STRIPES = 32;

    private final Stripe[] stripes =
            Stream.generate(Stripe::new).limit(STRIPES).toArray(Stripe[]::new);

    /// Takes the moment returned by `visible`, which must never decrease.
    public long take(LongSupplier visible) {
        return stripes[ownStripe()].take(visible);
    }

    public void release(long moment) {
        int own = ownStripe();
        for (int offset = 0; offset < STRIPES; offset++) {
            if (stripes[(own + offset) % STRIPES].release(moment)) {
                return;
            }
        }
        Check.that(false, "moment %d is released that nobody has taken", moment);
    }

    /// The oldest moment that is being read, or `visible` if that is older. A reader that starts
    /// from now on takes `visible` or a later moment. Readers of earlier moments can only leave
    /// during the search, so no reader that stays is missed.
    public long oldest(long visible) {
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

        /// The moment of one reader; further readers are counted in `live`.
        private final AtomicLong one = new AtomicLong(NOBODY);

        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final LiveSnapshots live = new LiveSnapshots();

        long take(LongSupplier visible) {
            long early = visible.getAsLong();
            if (!one.compareAndSet(NOBODY, early)) {
                return takeCounted(visible);
            }
            // A thread that searched for the oldest moment and missed this reader began its search
            // earlier, with a `visible` that was not later than the current one.
            long moment = visible.getAsLong();
            // If the exchange fails, another reader of the early moment was released in this place.
            // Its count, which remains elsewhere, now stands for this reader.
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

        /// Returns false if no reader of this moment is counted here.
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
