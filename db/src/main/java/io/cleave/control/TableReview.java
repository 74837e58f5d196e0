package io.cleave.control;

import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;

/// The observed state of the cluster and of one of its tables, and the decisions about the table.
record TableReview(ClusterState cluster, TableState state, List<Decision> decisions) {
    TableReview {
        decisions = List.copyOf(decisions);
    }

    /// With the tablets that leave a cell that is being removed. The changes that a policy wants
    /// wait until they have left.
    TableReview leaving(List<Decision> moves) {
        if (moves.isEmpty()) {
            return this;
        }
        List<Decision> all = new ArrayList<>(moves);
        for (Decision decision : decisions) {
            switch (decision) {
                case Leave _, Warn _ -> all.add(decision);
                case Split _, Merge _, Move _, Reshard _ -> {}
            }
        }
        return new TableReview(cluster, state, all);
    }

    /// Whether a tablet is to leave a cell that is being removed.
    boolean isLeaving() {
        return decisions.stream()
                .anyMatch(each -> each instanceof Move move && move.rule() == Rule.MOVE_OUT);
    }

    Table table() {
        return state.table();
    }

    /// The tablets that the decision is about, in key order.
    List<TabletState> tablets(Decision decision) {
        return state.tablets().stream()
                .filter(tablet -> decision.tabletIds().contains(tablet.tabletId()))
                .toList();
    }

    KeyRange range(Decision decision) {
        List<TabletState> about = tablets(decision);
        return new KeyRange(about.getFirst().range().from(), about.getLast().range().to());
    }

    double cores(Decision decision) {
        return tablets(decision).stream().mapToDouble(TabletState::cores).sum();
    }
}
