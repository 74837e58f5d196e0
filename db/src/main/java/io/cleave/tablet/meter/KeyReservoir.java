package io.cleave.tablet.meter;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// A random sample of the keys that were recently accessed in a tablet, with the CPU time that each
/// key stands for. Every access has the same chance to be in the sample. The sample covers the
/// current stretch of time and the one before it.
///
/// Threads: any. A thread that finds another one adding a key drops its own.
public final class KeyReservoir {
    /// Keys kept for each stretch.
    static final int CAPACITY = 2048;

    static final long STRETCH_MICROS = 5_000_000;

    /// Longer keys are not kept.
    private static final int MOST_KEY_BYTES = 4 << 10;

    public enum Access {
        READ,
        /// A row that a scan has read.
        SCANNED,
        /// The start of a scan.
        RANGE,
        /// A key that a batch scan has passed.
        BATCH,
        WRITE,
        DELETE
    }

    /// A sampled access.
    ///
    /// @param nanos of CPU time that it stands for; the mean of the other kinds if its kind was not
    ///   measured
    public record Sample(Bytes key, Access access, long micros, double nanos) {}

    private record Noted(Bytes key, Access access, long micros) {}

    /// CPU time since the process started, by kind of access.
    private final Map<Access, LongAdder> spent = new EnumMap<>(Access.class);

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final SplittableRandom random;

    @GuardedBy("lock")
    private Stretch before;

    @GuardedBy("lock")
    private Stretch present;

    private static final class Stretch {
        final long beganMicros;

        /// The value of `spent` when the stretch began.
        final Map<Access, Long> spentBefore;

        final List<Noted> kept = new ArrayList<>();

        /// Number of accesses, including those whose keys were not kept.
        final Map<Access, Integer> seen = new EnumMap<>(Access.class);

        int allSeen;

        Stretch(long beganMicros, Map<Access, Long> spentBefore) {
            this.beganMicros = beganMicros;
            this.spentBefore = spentBefore;
        }

        int seen(Access access) {
            return seen.getOrDefault(access, 0);
        }
    }

    KeyReservoir(long seed) {
        random = new SplittableRandom(seed);
        for (Access access : Access.values()) {
            spent.put(access, new LongAdder());
        }
        present = new Stretch(0, spent());
        before = new Stretch(0, spent());
    }

    /// Adds CPU time of accesses of this kind, whether or not their keys were added.
    void spent(Access access, long cpuNanos) {
        Objects.requireNonNull(spent.get(access)).add(cpuNanos);
    }

    private Map<Access, Long> spent() {
        Map<Access, Long> now = new EnumMap<>(Access.class);
        spent.forEach((access, nanos) -> now.put(access, nanos.sum()));
        return now;
    }

    /// CPU time of all accesses since the process started.
    long cpuNanos() {
        // The balancer asks every tablet several times a second.
        long nanos = 0;
        for (LongAdder each : spent.values()) {
            nanos += each.sum();
        }
        return nanos;
    }

    /// CPU time of accesses of this kind since the process started.
    long cpuNanos(Access access) {
        return Objects.requireNonNull(spent.get(access)).sum();
    }

    void add(Bytes key, Access access, long nowMicros) {
        if (key.length() > MOST_KEY_BYTES || !lock.tryLock()) {
            return;
        }
        try {
            turn(nowMicros);
            present.allSeen++;
            present.seen.merge(access, 1, Integer::sum);
            var noted = new Noted(key, access, nowMicros);
            if (present.kept.size() < CAPACITY) {
                present.kept.add(noted);
            } else {
                int at = random.nextInt(present.allSeen);
                if (at < CAPACITY) {
                    present.kept.set(at, noted);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Drops old keys. Needed for tablets without new accesses.
    void letGo(long nowMicros) {
        // The holder of the lock adds a key or has just turned the stretch.
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!before.kept.isEmpty() || !present.kept.isEmpty()) {
                turn(nowMicros);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void turn(long nowMicros) {
        long since = nowMicros - present.beganMicros;
        // The clock of threads that add keys may be slightly behind.
        if (since > -STRETCH_MICROS && since < STRETCH_MICROS) {
            return;
        }
        var next = new Stretch(nowMicros, spent());
        // Keys older than a stretch, or from before the clock was set back, are useless.
        boolean isRecent = since >= 0 && since < 2 * STRETCH_MICROS;
        before = isRecent ? present : new Stretch(0, next.spentBefore);
        present = next;
    }

    /// Number of kept keys, including old ones that were not dropped yet.
    int kept() {
        lock.lock();
        try {
            return before.kept.size() + present.kept.size();
        } finally {
            lock.unlock();
        }
    }

    /// The sampled accesses, the oldest first.
    List<Sample> samples(long nowMicros) {
        lock.lock();
        try {
            turn(nowMicros);
            Map<Access, Double> nanos = nanosPerKey();
            double mean =
                    nanos.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
            List<Sample> all = new ArrayList<>();
            for (Stretch stretch : List.of(before, present)) {
                // In a busier stretch each kept key stands for more dropped ones.
                double times = (double) stretch.allSeen / Math.max(1, stretch.kept.size());
                for (Noted noted : stretch.kept) {
                    double each = nanos.getOrDefault(noted.access, mean) * times;
                    all.add(new Sample(noted.key, noted.access, noted.micros, each));
                }
            }
            all.sort(Comparator.comparingLong(Sample::micros));
            return all;
        } finally {
            lock.unlock();
        }
    }

    /// CPU time per access over both stretches. Kinds without measurements are missing.
    @GuardedBy("lock")
    private Map<Access, Double> nanosPerKey() {
        Map<Access, Double> nanos = new EnumMap<>(Access.class);
        for (Map.Entry<Access, Long> now : spent().entrySet()) {
            Access access = now.getKey();
            int seen = before.seen(access) + present.seen(access);
            long spentSince =
                    now.getValue() - Objects.requireNonNull(before.spentBefore.get(access));
            if (seen > 0 && spentSince > 0) {
                nanos.put(access, (double) spentSince / seen);
            }
        }
        return nanos;
    }
}
