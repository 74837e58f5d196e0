package io.cleave.balance;

import java.util.List;
import java.util.Map;

/// Decides which tablets are split, merged and moved, at which keys and to which cells. A policy is
/// a pure function: equal arguments give equal decisions. It makes every choice, so that a plan
/// shows exactly what would be done.
public interface Policy {
    /// The decisions for each table, by table id. The decisions of a table are in the order in
    /// which they are carried out, followed by notes: tablets that are left alone, and warnings.
    /// All changes of one answer may be carried out; then the policy is asked again.
    Map<Long, List<Decision>> decide(ClusterState state, KeyFacts facts, BalanceSettings settings);

    /// What keeps groups of tables that are due from being balanced, by bundle, for their users:
    /// nobody waits for the reasons of a round.
    default Map<String, List<String>> problems(ClusterState state) {
        return Map.of();
    }

    /// The changes for which a user asks, by table id. Throws if the policy has no such command, or
    /// cannot read the settings that the command goes by.
    default Map<Long, List<Decision>> decide(
            BalanceCommand command, ClusterState state, KeyFacts facts) {
        throw new UnsupportedOperationException("no commands");
    }
}
