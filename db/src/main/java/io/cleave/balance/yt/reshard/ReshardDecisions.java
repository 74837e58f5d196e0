package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;

import java.util.List;

/// What is done with the tablets of a table, and which are left alone. Each tablet is in one action
/// or is left alone, never both.
///
/// @param actions in the order in which they are carried out
/// @param left in key order; made when it is read, because most rounds leave all tablets alone and
///   nobody asks why
public record ReshardDecisions(List<Reshard> actions, List<LeftTablet> left) {
    public ReshardDecisions {
        actions = List.copyOf(actions);
    }

    /// Every tablet is left alone, for one reason.
    static ReshardDecisions leaveAll(ReshardTable table, LeaveReason reason, Figure... figures) {
        List<Figure> all = List.of(figures);
        List<LeftTablet> left =
                LeftTablets.of(
                        new boolean[table.tablets().size()],
                        index ->
                                new LeftTablet(table.tablets().get(index).tabletId(), reason, all));
        return new ReshardDecisions(List.of(), left);
    }
}
