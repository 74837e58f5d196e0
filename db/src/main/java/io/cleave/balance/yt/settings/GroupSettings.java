package io.cleave.balance.yt.settings;

import io.cleave.balance.yt.formula.Formula;

import java.util.Optional;

/// The settings of a group: tables of a bundle that are balanced together.
///
/// @param schedule the formula of the group's own schedule; empty if it has none
public record GroupSettings(
        boolean enableMove,
        boolean enableReshard,
        Type type,
        Formula schedule,
        ParameterizedSettings parameterized,
        Optional<Boolean> enableSmoothMovement) {
    /// What a group is balanced by.
    public enum Type {
        /// By a metric of its tablets.
        PARAMETERIZED,
        /// By sizes and counts of tablets.
        LEGACY
    }

    public static final GroupSettings DEFAULT = ofType(Type.PARAMETERIZED);

    /// The default settings, for the given type.
    static GroupSettings ofType(Type type) {
        return new GroupSettings(
                true, true, type, Formula.EMPTY, ParameterizedSettings.DEFAULT, Optional.empty());
    }
}
