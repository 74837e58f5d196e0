package io.cleave.base;

import io.cleave.base.Issue.Position;

import java.util.List;

/// Ends a whole request with a status and its issues. Thrown where the error is found, and caught
/// only once, in `wire`.
public final class StatusException extends RuntimeException {
    private final Status status;
    private final transient List<Issue> issues;

    public StatusException(Status status, List<Issue> issues) {
        // An expected outcome, not a bug, so the cost of a stack trace is avoided.
        super(
                status + ": " + (issues.isEmpty() ? "" : issues.getFirst().message()),
                null,
                false,
                false);
        this.status = status;
        this.issues = List.copyOf(issues);
    }

    public StatusException(Status status, Issue issue) {
        this(status, List.of(issue));
    }

    public StatusException(Status status, String message) {
        this(status, Issue.error(message));
    }

    public StatusException(Status status, String message, Position place) {
        this(status, Issue.error(message).at(place));
    }

    public Status status() {
        return status;
    }

    public List<Issue> issues() {
        return issues;
    }
}
