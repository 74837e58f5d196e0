package io.cleave.bench.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The figures of each engine for each work.
final class Results {
    private final Map<Place, Measured> figures = new HashMap<>();

    private record Place(Work work, String engine) {}

    /// @param value the figure that bars compare
    /// @param beside the related second figure, see [Work.Unit]; NaN if there is none
    /// @param note for the reader; may be empty
    record Measured(double value, double beside, String note) {
        Measured(double value) {
            this(value, Double.NaN, "");
        }
    }

    void put(Work work, String engine, Measured measured) {
        figures.put(new Place(work, engine), measured);
    }

    Optional<Measured> find(Work work, String engine) {
        return Optional.ofNullable(figures.get(new Place(work, engine)));
    }
}
