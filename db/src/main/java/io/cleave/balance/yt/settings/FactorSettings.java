package io.cleave.balance.yt.settings;

import java.util.OptionalDouble;

/// The weights of the parts of the objective that parameterized balancing makes smaller.
public record FactorSettings(
        OptionalDouble cellFactor,
        OptionalDouble nodeFactor,
        OptionalDouble tableCellFactor,
        OptionalDouble tableNodeFactor) {
    /// No weight is set.
    public static final FactorSettings UNSET =
            new FactorSettings(
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty());

    /// The weights of `per_table_uniform` if no factors are given: all parts count alike.
    public static final FactorSettings UNIFORM =
            new FactorSettings(
                    OptionalDouble.of(1),
                    OptionalDouble.of(1),
                    OptionalDouble.of(1),
                    OptionalDouble.of(1));
}
