package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.StatusException;

import java.util.ArrayList;
import java.util.List;

/// Collects the errors of independent parts of a text to report them together. If one part fails,
/// the others are still analyzed. Used by one thread.
final class Mistakes {
    /// More than anyone reads at once. Parts after this many errors are not analyzed.
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

    /// Throws if there were any errors, with the status of the first error and the issues of all.
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
