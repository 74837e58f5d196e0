package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.StatusException;

import java.util.ArrayList;
import java.util.List;

/// Mistakes in parts of a text that do not depend on one another, to be reported together: a part
/// that fails does not keep the others from being looked at. Used by one thread.
final class Mistakes {
    /// More than anyone reads at once; the parts behind them are not looked at.
    private static final int MAX_MISTAKES = 100;

    private final AnalysisContext context;
    private final List<StatusException> found = new ArrayList<>();

    Mistakes(AnalysisContext context) {
        this.context = context;
    }

    void lookAt(Runnable part) {
        if (found.size() == MAX_MISTAKES) {
            return;
        }
        int depth = context.depth();
        try {
            part.run();
        } catch (StatusException mistake) {
            found.add(mistake);
            context.recover(depth);
        }
    }

    /// Ends the request if there were any, with the status of the first and the issues of all.
    void report() {
        if (found.isEmpty()) {
            return;
        }
        List<Issue> issues = new ArrayList<>();
        for (StatusException mistake : found) {
            mistake.issues().stream().filter(issue -> !issues.contains(issue)).forEach(issues::add);
        }
        throw new StatusException(found.getFirst().status(), issues);
    }
}
