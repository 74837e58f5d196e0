package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;

import java.util.ArrayList;
import java.util.List;

/// What is done with the tablets of a table, and which are left alone. Each tablet is in one action
/// or is left alone, never both.
///
/// @param actions in the order in which they are carried out
/// @param left in key order
public record ReshardDecisions(List<Reshard> actions, List<LeftTablet> left) {
    public ReshardDecisions {
        actions = List.copyOf(actions);
        left = List.copyOf(left);
    }

    /// Every tablet is left alone, for one reason.
    static ReshardDecisions leaveAll(ReshardTable table, LeaveReason reason, Figure... figures) {
        List<LeftTablet> left = new ArrayList<>(table.tablets().size());
        for (ReshardTablet tablet : table.tablets()) {
            left.add(new LeftTablet(tablet.tabletId(), reason, List.of(figures)));
        }
        return new ReshardDecisions(List.of(), left);
    }
}
