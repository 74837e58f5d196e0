package io.cleave.analysis;

import io.cleave.access.Permissions;
import io.cleave.schema.AccessChange;
import io.cleave.schema.AccessChange.Action;
import io.cleave.schema.AccessChange.Permit;
import io.cleave.schema.SchemeChange;
import io.cleave.typed.TypedStatement;
import io.cleave.yql.AccessCommand;
import io.cleave.yql.AccessCommand.Password;
import io.cleave.yql.AccessCommand.PermissionName;
import io.cleave.yql.AccessCommand.UserOptions;
import io.cleave.yql.TableName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Analyzes statements about users, groups and permissions: resolves their names and paths.
final class AccessAnalyzer {
    private final SourceAnalyzer sources;

    AccessAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        sources = new SourceAnalyzer(context, bindings);
    }

    TypedStatement analyze(AccessCommand command) {
        AccessChange change =
                switch (command) {
                    case AccessCommand.CreateUser(TableName name, UserOptions options) ->
                            new AccessChange.CreateUser(
                                    sources.text(name),
                                    options.password().flatMap(Password::text),
                                    options.login().orElse(true));
                    case AccessCommand.AlterUser(TableName name, UserOptions options) ->
                            new AccessChange.AlterUser(
                                    sources.text(name),
                                    options.password().map(password -> password.text().orElse("")),
                                    options.login());
                    case AccessCommand.CreateGroup(TableName name, List<TableName> members) ->
                            new AccessChange.CreateGroup(sources.text(name), texts(members));
                    case AccessCommand.AlterGroup(
                                    TableName name,
                                    boolean adds,
                                    List<TableName> members) ->
                            new AccessChange.AlterGroup(sources.text(name), adds, texts(members));
                    case AccessCommand.Rename(boolean group, TableName from, TableName to) ->
                            new AccessChange.Rename(group, sources.text(from), sources.text(to));
                    case AccessCommand.Drop(
                                    boolean group,
                                    List<TableName> names,
                                    boolean ifExists) ->
                            new AccessChange.Drop(group, texts(names), ifExists);
                    case AccessCommand.Change permits -> permits(permits);
                };
        return new TypedStatement.ChangeScheme(new SchemeChange.Access(change));
    }

    private AccessChange permits(AccessCommand.Change change) {
        List<String> names = new ArrayList<>();
        for (PermissionName permission : change.permissions()) {
            names.add(
                    Permissions.find(permission.name())
                            .orElseThrow(
                                    () ->
                                            AnalysisContext.error(
                                                    permission.at(),
                                                    "Unknown permission name: "
                                                            + permission.name())));
        }
        if (names.isEmpty()) {
            names.add(Permissions.FULL);
        }
        Action action = change.grants() ? Action.GRANT : Action.REVOKE;
        return new AccessChange.Change(
                change.paths().stream().map(sources::path).toList(),
                false,
                Optional.empty(),
                change.subjects().stream()
                        .map(subject -> permit(change, action, sources.text(subject), names))
                        .toList());
    }

    /// REVOKE ALL removes every granted permission, not only a permission named ALL.
    private static Permit permit(
            AccessCommand.Change change, Action action, String subject, List<String> names) {
        return change.permissions().isEmpty() && action == Action.REVOKE
                ? new Permit(Action.SET, subject, List.of())
                : new Permit(action, subject, names);
    }

    private List<String> texts(List<TableName> names) {
        return names.stream().map(sources::text).toList();
    }
}
