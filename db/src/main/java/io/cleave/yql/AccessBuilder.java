package io.cleave.yql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Value;
import io.cleave.yql.AccessCommand.Password;
import io.cleave.yql.AccessCommand.PermissionName;
import io.cleave.yql.AccessCommand.UserOptions;

import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Builds CREATE, ALTER and DROP of users and groups, GRANT and REVOKE.
final class AccessBuilder {
    private AccessBuilder() {}

    static AccessCommand command(Yql.AccessContext access) {
        return switch (access) {
            case Yql.PutUserContext c when c.CREATE() != null ->
                    new AccessCommand.CreateUser(
                            Names.table(c.tableName()), options(c.userOptions()));
            case Yql.PutUserContext c -> {
                if (c.userOptions() == null) {
                    throw Places.error(Places.at(c), "ALTER USER needs at least one option");
                }
                yield new AccessCommand.AlterUser(
                        Names.table(c.tableName()), options(c.userOptions()));
            }
            case Yql.CreateGroupContext c -> {
                List<TableName> names = names(c.tableName());
                yield new AccessCommand.CreateGroup(
                        names.getFirst(), names.subList(1, names.size()));
            }
            case Yql.AlterGroupContext c -> {
                List<TableName> names = names(c.tableName());
                yield new AccessCommand.AlterGroup(
                        names.getFirst(), c.ADD() != null, names.subList(1, names.size()));
            }
            case Yql.RenameSubjectContext c ->
                    new AccessCommand.Rename(
                            c.GROUP() != null,
                            Names.table(c.tableName(0)),
                            Names.table(c.tableName(1)));
            case Yql.DropSubjectsContext c ->
                    new AccessCommand.Drop(
                            c.GROUP() != null, names(c.tableName()), c.EXISTS() != null);
            case Yql.GrantContext c -> {
                if (c.NAME() != null) {
                    expect(c.NAME(), "OPTION");
                }
                List<TableName> paths = new ArrayList<>();
                List<TableName> subjects = new ArrayList<>();
                split(c, Yql.TO, paths, subjects);
                List<PermissionName> permissions = permissions(c.permissions());
                if (c.NAME() != null && !permissions.isEmpty()) {
                    permissions.add(new PermissionName(Places.at(c.NAME().getSymbol()), "GRANT"));
                }
                yield new AccessCommand.Change(true, permissions, paths, subjects);
            }
            case Yql.RevokeContext c -> {
                List<TableName> paths = new ArrayList<>();
                List<TableName> subjects = new ArrayList<>();
                split(c, Yql.FROM, paths, subjects);
                List<PermissionName> permissions = permissions(c.permissions());
                if (c.GRANT() != null) {
                    expect(c.NAME(0), "OPTION");
                    expect(c.NAME(1), "FOR");
                    Position at = Places.at(c.GRANT().getSymbol());
                    permissions = List.of(new PermissionName(at, "GRANT"));
                }
                yield new AccessCommand.Change(false, permissions, paths, subjects);
            }
            default -> throw new IllegalStateException("not a command: " + access.getClass());
        };
    }

    private static List<TableName> names(List<Yql.TableNameContext> names) {
        return names.stream().map(Names::table).toList();
    }

    /// Collects the names before and after a keyword.
    private static void split(
            Yql.AccessContext context, int word, List<TableName> before, List<TableName> behind) {
        List<TableName> names = before;
        for (ParseTree child : context.children) {
            if (child instanceof Yql.TableNameContext name) {
                names.add(Names.table(name));
            } else if (child instanceof TerminalNode token && token.getSymbol().getType() == word) {
                names = behind;
            }
        }
    }

    private static void expect(TerminalNode name, String word) {
        if (!name.getText().equalsIgnoreCase(word)) {
            throw unexpected(name, word);
        }
    }

    private static RuntimeException unexpected(TerminalNode token, String expected) {
        return Places.error(
                Places.at(token.getSymbol()),
                "mismatched input '%s', expecting %s".formatted(token.getText(), expected));
    }

    private static UserOptions options(Yql.@Nullable UserOptionsContext context) {
        Optional<Password> password = Optional.empty();
        Optional<Boolean> login = Optional.empty();
        if (context == null) {
            return new UserOptions(password, login);
        }
        String expected = "PASSWORD, LOGIN or NOLOGIN";
        boolean wantsPassword = false;
        for (ParseTree child : context.children) {
            TerminalNode token = (TerminalNode) child;
            String word = token.getText().toUpperCase(Locale.ROOT);
            switch (token.getSymbol().getType()) {
                case Yql.STRING, Yql.NULL -> {
                    if (!wantsPassword) {
                        throw unexpected(token, expected);
                    }
                    password = Optional.of(new Password(text(token)));
                    wantsPassword = false;
                }
                case Yql.NAME -> {
                    if (wantsPassword) {
                        throw unexpected(token, "the password");
                    }
                    switch (word) {
                        case "ENCRYPTED" -> {}
                        case "PASSWORD" -> wantsPassword = true;
                        case "LOGIN" -> login = Optional.of(true);
                        case "NOLOGIN" -> login = Optional.of(false);
                        case "HASH" ->
                                throw Places.unsupported(
                                        Places.at(token.getSymbol()), "HASH of a user");
                        default -> throw unexpected(token, expected);
                    }
                }
                default -> {}
            }
        }
        if (wantsPassword) {
            throw Places.error(Places.at(context), "PASSWORD without a password");
        }
        return new UserOptions(password, login);
    }

    private static Optional<String> text(TerminalNode token) {
        if (token.getSymbol().getType() == Yql.NULL) {
            return Optional.empty();
        }
        return Optional.of(string(token));
    }

    private static String string(TerminalNode token) {
        Value value = Literals.string(Places.at(token.getSymbol()), token.getText()).value();
        return value instanceof Value.Binary(Bytes bytes)
                ? bytes.utf8()
                : ((Value.Text) value).value();
    }

    private static List<PermissionName> permissions(Yql.PermissionsContext context) {
        List<PermissionName> names = new ArrayList<>();
        if (context.ALL() != null) {
            if (context.NAME() != null) {
                expect(context.NAME(), "PRIVILEGES");
            }
            return names;
        }
        for (Yql.PermissionContext permission : context.permission()) {
            if (permission.STRING() != null) {
                names.add(new PermissionName(Places.at(permission), string(permission.STRING())));
                continue;
            }
            var words = new StringBuilder();
            for (ParseTree word : permission.children) {
                words.append(words.isEmpty() ? "" : " ")
                        .append(word.getText().toUpperCase(Locale.ROOT));
            }
            names.add(new PermissionName(Places.at(permission), words.toString()));
        }
        return names;
    }
}
