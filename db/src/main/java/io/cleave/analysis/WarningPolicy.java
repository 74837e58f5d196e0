package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Severity;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a text wants to be done with its warnings: `PRAGMA Warning(action, code)`. A later pragma
/// counts more than those above it, and one for all codes makes them forgotten.
///
/// @param others what is said of single codes
public record WarningPolicy(Action all, Map<Integer, Action> others) {
    enum Action {
        DEFAULT,
        DISABLE,
        ERROR
    }

    static final WarningPolicy NONE = new WarningPolicy(Action.DEFAULT, Map.of());

    public WarningPolicy {
        others = Map.copyOf(others);
    }

    WarningPolicy with(int code, Action action) {
        Map<Integer, Action> changed = new HashMap<>(others);
        changed.put(code, action);
        return new WarningPolicy(all, changed);
    }

    /// Those that are still to be said; one that is to be a mistake ends the request.
    public List<Issue> applied(List<Issue> warnings) {
        List<Issue> said = new ArrayList<>();
        List<Issue> mistakes = new ArrayList<>();
        for (Issue warning : warnings) {
            Optional<Issue> kept = applied(warning);
            kept.filter(issue -> issue.severity() != Severity.ERROR).ifPresent(said::add);
            kept.filter(issue -> issue.severity() == Severity.ERROR).ifPresent(mistakes::add);
        }
        if (!mistakes.isEmpty()) {
            throw new StatusException(Status.GENERIC_ERROR, mistakes);
        }
        return said;
    }

    /// What is only there for others goes with the last of them, and is a mistake if one is.
    private Optional<Issue> applied(Issue issue) {
        if (issue.severity() != Severity.WARNING) {
            return Optional.of(issue);
        }
        if (issue.causes().isEmpty()) {
            return switch (others.getOrDefault(issue.code(), all)) {
                case DEFAULT -> Optional.of(issue);
                case DISABLE -> Optional.empty();
                case ERROR -> Optional.of(mistake(issue, List.of()));
            };
        }
        List<Issue> causes = issue.causes().stream().flatMap(c -> applied(c).stream()).toList();
        if (causes.isEmpty()) {
            return Optional.empty();
        }
        boolean wrong = causes.stream().anyMatch(cause -> cause.severity() == Severity.ERROR);
        return Optional.of(wrong ? mistake(issue, causes) : issue.because(causes));
    }

    private static Issue mistake(Issue issue, List<Issue> causes) {
        return new Issue(Severity.ERROR, issue.code(), issue.message(), issue.position(), causes);
    }
}
