package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.yt.whatif.Forecast;
import io.cleave.balance.yt.whatif.Forecaster;
import io.cleave.balance.yt.whatif.WhatIf;
import io.cleave.base.Env;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Shows what the policies would do at present. Nothing is carried out.
///
/// Threads: any.
public final class BalancePlans {
    private final ClusterReviews reviews;
    private final PlanTurns turns;
    private final BalanceSettings settings;
    private final Tablets tablets;
    private final Env env;

    BalancePlans(
            ClusterReviews reviews,
            PlanTurns turns,
            BalanceSettings settings,
            Tablets tablets,
            Env env) {
        this.reviews = reviews;
        this.turns = turns;
        this.settings = settings;
        this.tablets = tablets;
        this.env = env;
    }

    /// What YTsaurus' rules would do with a bundle. Throws OVERLOADED if too many plans are asked
    /// for.
    public Forecast of(WhatIf question) {
        return turns.take(() -> answer(question));
    }

    private Forecast answer(WhatIf question) {
        return reviews.ask(
                Balancer.YT,
                (state, facts, policies) ->
                        new Forecaster(
                                        (predicted, predictedFacts) ->
                                                policies.decide(
                                                        Balancer.YT,
                                                        predicted,
                                                        predictedFacts,
                                                        settings),
                                        env.zone())
                                .answer(question, state, facts));
    }

    /// The decisions about the table. Throws OVERLOADED if too many plans are asked for.
    public List<TabletDecision> of(Table table) {
        return turns.take(() -> planned(table));
    }

    private List<TabletDecision> planned(Table table) {
        for (Balancer asked : Balancer.values()) {
            for (TableReview review : reviews.review(asked)) {
                boolean isAbout = review.table().id() == table.id();
                if (isAbout && review.state().balancer() == asked) {
                    return plan(review);
                }
            }
        }
        return List.of();
    }

    /// Whether YTsaurus' rules balance the table. An index table follows its table.
    public boolean isOfYt(Table table) {
        return tablets.tables().stream()
                .filter(each -> each.id() == (table.isIndexTable() ? table.ownerId() : table.id()))
                .anyMatch(each -> each.balancer() == Balancer.YT);
    }

    private List<TabletDecision> plan(TableReview review) {
        long micros = env.wallMicros();
        Map<Long, KeyRange> ranges = new HashMap<>();
        review.state().tablets().forEach(each -> ranges.put(each.tabletId(), each.range()));
        List<TabletDecision> planned = new ArrayList<>();
        for (Decision decision : review.decisions()) {
            List<Long> ids = decision.tabletIds();
            KeyRange first = Objects.requireNonNull(ranges.get(ids.getFirst()));
            KeyRange last = Objects.requireNonNull(ranges.get(ids.getLast()));
            var range = new KeyRange(first.from(), last.to());
            boolean isChange =
                    switch (decision) {
                        case Split _, Merge _, Move _, Reshard _ -> true;
                        case Leave _, Warn _ -> false;
                    };
            State state = isChange ? State.PLANNED : State.NOTED;
            planned.add(TabletDecision.of(review.table(), range, decision, state, micros));
        }
        return planned;
    }
}
