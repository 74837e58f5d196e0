package io.cleave.query;

import org.jspecify.annotations.Nullable;

/// A text that a caller inside this process runs again and again. It holds on to its program, and
/// looks for another only once a table it names has changed.
///
/// Threads: any.
public final class PreparedText {
    private final PlanCache plans;
    private final QueryText text;
    private volatile @Nullable Compiled last;

    PreparedText(PlanCache plans, QueryText text) {
        this.plans = plans;
        this.text = text;
    }

    /// The program as it has to be now in this session.
    Compiled compiled(Session session) {
        if (!session.temporaries().places().isEmpty()) {
            return plans.compile(text.in(session));
        }
        Compiled known = last;
        if (known == null || !plans.isCurrent(known)) {
            known = plans.compile(text);
            last = known;
        }
        return known;
    }
}
