package io.cleave.wire;

import io.cleave.base.CorruptionException;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.lang.System.Logger;
import java.util.List;

/// How a failed request is answered. This is the only place where exceptions become statuses.
record Failure(Status status, List<Issue> issues) {
    private static final Logger LOG = System.getLogger(Failure.class.getName());

    static Failure of(Throwable thrown) {
        return switch (thrown) {
            case StatusException known -> new Failure(known.status(), known.issues());
            case CorruptionException damage -> {
                LOG.log(Logger.Level.ERROR, "data is damaged", damage);
                yield new Failure(
                        Status.INTERNAL_ERROR,
                        List.of(
                                Issue.error(
                                        "Data is damaged: "
                                                + damage.getMessage()
                                                + "; run './cleave fsck' to find all damage")));
            }
            case StackOverflowError _ ->
                    new Failure(
                            Status.GENERIC_ERROR,
                            List.of(Issue.error("Query is nested too deeply")));
            default -> {
                LOG.log(Logger.Level.ERROR, "a request failed", thrown);
                yield new Failure(
                        Status.INTERNAL_ERROR,
                        List.of(Issue.error("Internal error, see the log of the server")));
            }
        };
    }
}
