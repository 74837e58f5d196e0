package io.cleave.balance;

import java.util.Set;

/// A change that a user asks a policy to plan at once. Switches and schedules do not count.
public sealed interface BalanceCommand {
    /// Cuts the tablets of a table anew by size.
    record ReshardTable(long tableId) implements BalanceCommand {}

    /// Spreads the in-memory tablets of a bundle over its cells.
    ///
    /// @param tableIds the tables whose tablets may be moved; empty for all of the bundle
    record BalanceCells(String bundle, Set<Long> tableIds) implements BalanceCommand {
        public BalanceCells {
            tableIds = Set.copyOf(tableIds);
        }
    }
}
