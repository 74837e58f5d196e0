package io.cleave.control;

import io.cleave.balance.BalanceCommand;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.TableState;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Bundles;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletActions;
import io.cleave.schema.Balancer;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What users ask the balancer of YTsaurus' tables for. It is planned at once, whatever switches
/// and schedules say, and carried out by actions. Only tables with the balancer YT are changed.
///
/// Threads: any.
public final class BalanceCommands {
    private final ClusterReviews reviews;
    private final PlanTurns turns;
    private final TabletActions actions;
    private final ActionLog log;

    BalanceCommands(ClusterReviews reviews, PlanTurns turns, TabletActions actions, ActionLog log) {
        this.reviews = reviews;
        this.turns = turns;
        this.actions = actions;
        this.log = log;
    }

    /// Begins to cut the tablets of a table anew by size. Returns the ids of the actions; none if
    /// all tablets fit. Throws PRECONDITION_FAILED while a tablet of the table is in an action.
    public List<ObjectId> reshard(Table table, Keeping keeping) {
        if (table.balancer() != Balancer.YT) {
            throw refused(
                    "The tablets of the table are split and merged by YDB's rules; set its"
                            + " attribute \"balancer\" to \"yt\" first");
        }
        if (actions.isChanging(table.id())) {
            throw refused("Table is already being balanced, try again later");
        }
        return begin(new BalanceCommand.ReshardTable(table.id()), keeping);
    }

    /// Begins to spread in-memory tablets over the cells of a bundle. Returns the ids of the
    /// actions. Throws PRECONDITION_FAILED while a tablet of the bundle is in an action.
    ///
    /// @param tables whose tablets may be moved; empty for all of the bundle. Those of other
    ///   bundles are refused
    public List<ObjectId> balanceCells(String bundle, List<Table> tables, Keeping keeping) {
        for (Table table : tables) {
            if (!Bundles.of(table).equals(bundle)) {
                throw refused(
                        "All tables must be from the tablet cell bundle \"%s\", one is from \"%s\""
                                .formatted(bundle, Bundles.of(table)));
            }
        }
        if (!actions.unfinished(bundle).isEmpty()) {
            throw refused("Bundle is already being balanced, try again later");
        }
        Set<Long> ids = Set.copyOf(tables.stream().map(Table::id).toList());
        return begin(new BalanceCommand.BalanceCells(bundle, ids), keeping);
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.PRECONDITION_FAILED, why);
    }

    private record Planned(ClusterState state, Map<Long, List<Decision>> decisions) {}

    private List<ObjectId> begin(BalanceCommand command, Keeping keeping) {
        Planned planned = turns.take(() -> plan(command));
        List<ObjectId> begun = new ArrayList<>();
        for (TableState table : planned.state.tables()) {
            List<Decision> decisions =
                    planned.decisions.getOrDefault(table.table().id(), List.of());
            var review = new TableReview(planned.state, table, decisions);
            for (Decision decision : decisions) {
                request(review, decision, keeping)
                        .ifPresent(
                                request ->
                                        begun.add(
                                                actions.begin(
                                                                request,
                                                                id -> log.add(review, decision, id))
                                                        .id()));
            }
        }
        return begun;
    }

    private Planned plan(BalanceCommand command) {
        return reviews.ask(
                Balancer.YT,
                (state, facts, policies) ->
                        new Planned(state, policies.decide(command, state, facts)));
    }

    private static Optional<ActionRequest> request(
            TableReview review, Decision decision, Keeping keeping) {
        Table table = review.table();
        return switch (decision) {
            case Move move ->
                    Optional.of(
                            ActionRequest.move(
                                    table,
                                    move.tabletId(),
                                    move.toCellId(),
                                    Origin.COMMAND,
                                    keeping));
            case Reshard reshard -> {
                List<Bytes> pivots = new ArrayList<>();
                pivots.add(review.range(reshard).from());
                pivots.addAll(reshard.keys());
                yield Optional.of(
                        ActionRequest.reshard(
                                table, reshard.tabletIds(), pivots, Origin.COMMAND, keeping));
            }
            case Leave _, Warn _ -> Optional.empty();
            case Split _, Merge _ -> throw new IllegalStateException(decision.rule().text());
        };
    }
}
