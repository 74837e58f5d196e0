package io.cleave.bench.storage;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.OptionalDouble;

/// How good Cleave has to be at a work, as a multiple of a yardstick's figure.
///
/// @param yardstick the name of the other engine; null if Cleave's figure itself is compared
record Bar(Work work, @Nullable String yardstick, Sense sense, double limit) {
    static final String OURS = "Cleave";
    private static final String ROCKS = "RocksDB";
    private static final String LMDB = "LMDB";

    static final List<Bar> ALL =
            List.of(
                    new Bar(Work.HIT, ROCKS, Sense.AT_MOST, 0.45),
                    new Bar(Work.HIT, LMDB, Sense.AT_MOST, 1.5),
                    new Bar(Work.MISS, ROCKS, Sense.AT_MOST, 0.5),
                    new Bar(Work.RANGE, ROCKS, Sense.AT_MOST, 0.35),
                    new Bar(Work.SCAN, ROCKS, Sense.AT_MOST, 0.4),
                    new Bar(Work.LOAD, ROCKS, Sense.AT_MOST, 1.0),
                    new Bar(Work.AMPLIFICATION, ROCKS, Sense.AT_MOST, 1.0),
                    new Bar(Work.BULK, ROCKS, Sense.AT_MOST, 0.8),
                    new Bar(Work.COMMITS_1, ROCKS, Sense.AT_LEAST, 1.0),
                    new Bar(Work.COMMITS_64, ROCKS, Sense.AT_LEAST, 1.0),
                    new Bar(Work.DISK, ROCKS, Sense.AT_MOST, 1.05),
                    new Bar(Work.COLD_BYTES, null, Sense.AT_MOST, 32),
                    new Bar(Work.COLD_REQUESTS, null, Sense.AT_MOST, 1.5),
                    new Bar(Work.NARROW, null, Sense.AT_MOST, 0.15));

    enum Sense {
        AT_MOST("<="),
        AT_LEAST(">=");

        final String sign;

        Sense(String sign) {
            this.sign = sign;
        }
    }

    /// Empty if one of the two was not measured.
    OptionalDouble ratio(Results results) {
        var ours = results.find(work, OURS);
        if (ours.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (yardstick == null) {
            return OptionalDouble.of(ours.get().value());
        }
        var theirs = results.find(work, yardstick);
        return theirs.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(ours.get().value() / theirs.get().value());
    }

    /// A bar without measured figures is missed.
    boolean met(Results results) {
        OptionalDouble ratio = ratio(results);
        if (ratio.isEmpty()) {
            return false;
        }
        return switch (sense) {
            case AT_MOST -> ratio.getAsDouble() <= limit;
            case AT_LEAST -> ratio.getAsDouble() >= limit;
        };
    }
}
