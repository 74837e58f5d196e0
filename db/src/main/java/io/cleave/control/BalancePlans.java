package io.cleave.control;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.base.Env;
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
    private final Env env;

    BalancePlans(ClusterReviews reviews, Env env) {
        this.reviews = reviews;
        this.env = env;
    }

    /// The decisions about the table.
    public List<TabletDecision> of(Table table) {
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
