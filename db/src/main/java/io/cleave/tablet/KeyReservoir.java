package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/// Some of the keys that a tablet was asked for lately: all that come have the same chance to be
/// among them. Those of the present stretch of time and of the one before it.
///
/// Threads: any. Who finds another one adding leaves it at that.
public final class KeyReservoir {
    /// Of each stretch.
    static final int CAPACITY = 2048;

    static final long STRETCH_MICROS = 5_000_000;

    /// Longer ones are not kept.
    private static final int MOST_KEY_BYTES = 4 << 10;

    public enum Access {
        READ,
        /// Where a scan began.
        RANGE,
        WRITE,
        DELETE
    }

    public record Sample(Bytes key, Access access, long micros) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final SplittableRandom random;

    @GuardedBy("lock")
    private List<Sample> before = new ArrayList<>();

    @GuardedBy("lock")
    private List<Sample> present = new ArrayList<>();

    @GuardedBy("lock")
    private long beganMicros;

    /// In the present stretch.
    @GuardedBy("lock")
    private int seen;

    KeyReservoir(long seed) {
        random = new SplittableRandom(seed);
    }

    void add(Bytes key, Access access, long nowMicros) {
        if (key.length() > MOST_KEY_BYTES || !lock.tryLock()) {
            return;
        }
        try {
            turn(nowMicros);
            seen++;
            var sample = new Sample(key, access, nowMicros);
            if (present.size() < CAPACITY) {
                present.add(sample);
            } else {
                int at = random.nextInt(seen);
                if (at < CAPACITY) {
                    present.set(at, sample);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void turn(long nowMicros) {
        long since = nowMicros - beganMicros;
        if (since >= 0 && since < STRETCH_MICROS) {
            return;
        }
        // What is older than a stretch, or of a clock that was set back, tells nothing.
        before = since >= 0 && since < 2 * STRETCH_MICROS ? present : new ArrayList<>();
        present = new ArrayList<>();
        beganMicros = nowMicros;
        seen = 0;
    }

    /// The oldest first.
    List<Sample> samples(long nowMicros) {
        lock.lock();
        try {
            turn(nowMicros);
            List<Sample> all = new ArrayList<>(before);
            all.addAll(present);
            all.sort(Comparator.comparingLong(Sample::micros));
            return all;
        } finally {
            lock.unlock();
        }
    }
}
