package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Policy;
import io.cleave.balance.TableState;
import io.cleave.schema.Balancer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The policy of tables with the balancer YDB: their settings AUTO_PARTITIONING_… say when tablets
/// are split and merged. Tablets of grown tables are then spread over the cells of their bundle.
///
/// The decisions about a table are in this order: splits, the most urgent first; at most one merge,
/// if there is no split; at most one move, if there is neither; tablets that were left alone, with
/// the reason; warnings.
public final class YdbPolicy implements Policy {
    private final double imbalance;

    public YdbPolicy() {
        this(Thresholds.MOVE_IMBALANCE);
    }

    /// @param imbalance a cell gives a tablet only to one that is lighter by this share
    public YdbPolicy(double imbalance) {
        this.imbalance = imbalance;
    }

    @Override
    public Map<Long, List<Decision>> decide(
            ClusterState state, KeyFacts facts, BalanceSettings settings) {
        Map<Long, List<Decision>> all = new LinkedHashMap<>();
        var moves = new MoveRules(state, settings, imbalance);
        for (TableState table : state.tables()) {
            if (table.balancer() != Balancer.YDB) {
                continue;
            }
            List<Decision> decisions = TableDecisions.decide(state, table, facts, settings);
            if (decisions.stream().noneMatch(YdbPolicy::isChange)) {
                moves.ask(table);
            }
            all.put(table.table().id(), decisions);
        }
        moves.choose()
                .forEach((tableId, move) -> all.merge(tableId, List.of(move), YdbPolicy::put));
        return all;
    }

    private static List<Decision> put(List<Decision> notes, List<Decision> move) {
        List<Decision> both = new ArrayList<>(move);
        both.addAll(notes);
        return both;
    }

    private static boolean isChange(Decision decision) {
        return switch (decision) {
            case Split _, Merge _, Reshard _, Move _ -> true;
            case Leave _, Warn _ -> false;
        };
    }
}
