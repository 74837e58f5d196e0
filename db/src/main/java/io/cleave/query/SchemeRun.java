package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.cluster.Scheme;
import io.cleave.plan.Program;
import io.cleave.plan.Program.SchemeStep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Carries out scheme statements one after the other; what was done before one that fails stays
/// done.
final class SchemeRun {
    private final Scheme scheme;

    SchemeRun(Scheme scheme) {
        this.scheme = scheme;
    }

    /// What succeeded but is worth saying.
    List<Issue> run(Program program, Cancellation cancellation) {
        List<Issue> issues = new ArrayList<>(program.warnings());
        for (Program.Step step : program.steps()) {
            cancellation.check();
            if (step instanceof SchemeStep change) {
                run(change).ifPresent(issues::add);
            }
        }
        return issues;
    }

    private Optional<Issue> run(SchemeStep step) {
        switch (step) {
            case SchemeStep.CreateTable(var definition, boolean ifNotExists) -> {
                if (!scheme.createTable(definition, ifNotExists)) {
                    return Optional.of(existed(definition.path()));
                }
            }
            case SchemeStep.AlterTable(String path, var changes) ->
                    scheme.alterTable(path, changes);
            case SchemeStep.DropTable(String path, boolean ifExists) ->
                    scheme.dropTable(path, ifExists);
        }
        return Optional.empty();
    }

    /// Tools read this text to learn that something was there already.
    static Issue existed(String path) {
        return Issue.info(
                "Check failed: path: '%s', error: path exist, request accepts it".formatted(path));
    }
}
