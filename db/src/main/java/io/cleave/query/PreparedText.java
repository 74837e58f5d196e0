package io.cleave.query;

import org.jspecify.annotations.Nullable;

/// A text that a caller inside this process runs many times. It keeps its program until the program
/// is no longer valid, for example because a table was changed.
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

    /// The valid program of the text in this session.
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
