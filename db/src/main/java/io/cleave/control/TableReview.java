package io.cleave.control;

import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.util.List;

/// The observed state of the cluster and of one of its tables, and the decisions about the table.
record TableReview(ClusterState cluster, TableState state, List<Decision> decisions) {
    TableReview {
        decisions = List.copyOf(decisions);
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
