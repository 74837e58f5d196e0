package io.cleave.tablet;

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

/// Some of the keys that a tablet was asked for lately, with the CPU time that each stands for: all
/// that come have the same chance to be among them. Those of the present stretch of time and of the
/// one before it.
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
        /// A row that a scan came by.
        SCANNED,
        /// Where a scan began.
        RANGE,
        /// What a scan by batches came by.
        BATCH,
        WRITE,
        DELETE
    }

    /// A key that was asked for.
    ///
    /// @param nanos of CPU time; if none of its kind was measured, as much as the others have
    public record Sample(Bytes key, Access access, long micros, double nanos) {}

    private record Noted(Bytes key, Access access, long micros) {}

    /// CPU time since the process started.
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

        /// What had been spent when it began.
        final Map<Access, Long> spentBefore;

        final List<Noted> kept = new ArrayList<>();

        /// Keys that came, whether they are kept or not.
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

    /// For accesses of this kind, whether their keys were added or not.
    void spent(Access access, long cpuNanos) {
        Objects.requireNonNull(spent.get(access)).add(cpuNanos);
    }

    private Map<Access, Long> spent() {
        Map<Access, Long> now = new EnumMap<>(Access.class);
        spent.forEach((access, nanos) -> now.put(access, nanos.sum()));
        return now;
    }

    /// For all of them since the process started.
    long cpuNanos() {
        return spent.values().stream().mapToLong(LongAdder::sum).sum();
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

    /// Old ones go, also where no new ones come.
    void letGo(long nowMicros) {
        // Who holds it adds a key, or has turned just now.
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
        // Those who add have a clock that is a little behind that of the others.
        if (since > -STRETCH_MICROS && since < STRETCH_MICROS) {
            return;
        }
        var next = new Stretch(nowMicros, spent());
        // What is older than a stretch, or of a clock that was set back, tells nothing.
        boolean isRecent = since >= 0 && since < 2 * STRETCH_MICROS;
        before = isRecent ? present : new Stretch(0, next.spentBefore);
        present = next;
    }

    /// How many there are, old ones that are not let go yet included.
    int kept() {
        lock.lock();
        try {
            return before.kept.size() + present.kept.size();
        } finally {
            lock.unlock();
        }
    }

    /// The oldest first.
    List<Sample> samples(long nowMicros) {
        lock.lock();
        try {
            turn(nowMicros);
            Map<Access, Double> nanos = nanosPerKey();
            double mean =
                    nanos.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
            List<Sample> all = new ArrayList<>();
            for (Stretch stretch : List.of(before, present)) {
                // Of the busier stretch each stands for more that were not kept.
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

    /// Of both stretches; a kind of which none was measured is not there.
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
