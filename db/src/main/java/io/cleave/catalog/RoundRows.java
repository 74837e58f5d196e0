package io.cleave.catalog;

import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.function.LongFunction;

/// The stored rounds of the balancer: which minutes were tested, and what is still to be planned.
///
/// Threads: any; changes are made by one.
public interface RoundRows {
    /// A group of tables in a bundle.
    record Group(String bundle, String name) {}

    /// What the next iteration plans. The numbers are stored on disk.
    enum Pending {
        NOTHING(0),
        MOVES(1),
        /// The schedule fired while moves were planned.
        RESHARDS(2);

        private final int number;

        Pending(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /// How far a group is.
    ///
    /// @param startMicros the start of the group's latest iteration: minutes up to it were tested
    record Round(long startMicros, Pending pending) {}

    /// Throws [io.cleave.base.CorruptionException] if a row cannot be read.
    Map<Group, Round> all();

    /// All rows in the tablets of the system cell. There are none in a cell of an older version.
    static Map<Group, Round> read(LongFunction<@Nullable Tablet> tablets, long snapshot) {
        return CellRoundRows.read(tablets, snapshot);
    }

    /// Makes all the changes or none; they are durable when this returns.
    void change(Map<Group, Round> puts, Collection<Group> removals);
}
