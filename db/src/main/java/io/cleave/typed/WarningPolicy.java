package io.cleave.typed;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Severity;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a query text wants its warnings handled: `PRAGMA Warning(action, code)`. A later pragma
/// overrides an earlier one for the same code. A pragma for all codes overrides all earlier ones.
///
/// @param others the actions for single codes; `all` applies to every other code
public record WarningPolicy(Action all, Map<Integer, Action> others) {
    public enum Action {
        DEFAULT,
        DISABLE,
        ERROR
    }

    public static final WarningPolicy NONE = new WarningPolicy(Action.DEFAULT, Map.of());

    public WarningPolicy {
        others = Map.copyOf(others);
    }

    public WarningPolicy with(int code, Action action) {
        Map<Integer, Action> changed = new HashMap<>(others);
        changed.put(code, action);
        return new WarningPolicy(all, changed);
    }

    /// The warnings that remain to be reported. Throws if the policy turns a warning into an error.
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

    /// A warning that only wraps other warnings is dropped with its last cause, and becomes an
    /// error if one of its causes does.
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
