package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.plan.Program;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.SchemeChange;
import io.cleave.tree.Scheme;
import io.cleave.typed.TypedStatement.AlterTable;
import io.cleave.typed.TypedStatement.ChangeScheme;
import io.cleave.typed.TypedStatement.CreateTable;
import io.cleave.typed.TypedStatement.DropTable;
import io.cleave.typed.TypedStatement.SchemeStatement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs scheme statements one after the other. If one fails, the changes of those before it remain.
final class SchemeRun {
    private final Scheme scheme;
    private final TableFilling filling;
    private final SessionNames names;

    SchemeRun(Scheme scheme, TableFilling filling, SessionNames names) {
        this.scheme = scheme;
        this.filling = filling;
        this.names = names;
    }

    /// Returns the warnings and notes of statements that succeeded.
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

    /// Returns a note if the step succeeded without a change.
    Optional<Issue> run(SchemeStep step) {
        return switch (step) {
            case SchemeStep.Change(SchemeStatement statement) -> run(statement);
            case SchemeStep.CreateTableAs create -> {
                boolean made =
                        create.temporary()
                                ? names.createTemporary(
                                        create.table().path(),
                                        create.ifNotExists(),
                                        () -> filling.createHidden(create))
                                : filling.create(create);
                yield made ? Optional.empty() : Optional.of(existed(create.table().path()));
            }
        };
    }

    private Optional<Issue> run(SchemeStatement statement) {
        switch (statement) {
            case CreateTable(var definition, boolean ifNotExists, boolean temporary) -> {
                boolean made =
                        temporary
                                ? names.createTemporary(definition, ifNotExists)
                                : scheme.createTable(definition, ifNotExists);
                if (!made) {
                    return Optional.of(existed(definition.path()));
                }
            }
            case AlterTable(String path, var changes) -> names.alterTable(path, changes);
            case DropTable(String path, boolean ifExists) -> names.dropTable(path, ifExists);
            case ChangeScheme(SchemeChange change) -> {
                if (!names.change(change)
                        && change instanceof SchemeChange.CreateView(String path, _, _, _)) {
                    return Optional.of(existed(path));
                }
            }
        }
        return Optional.empty();
    }

    /// Tools read this text to learn that the object already existed.
    static Issue existed(String path) {
        return Issue.info(
                "Check failed: path: '%s', error: path exist, request accepts it".formatted(path));
    }
}
