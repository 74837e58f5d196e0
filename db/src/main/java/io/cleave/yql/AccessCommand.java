package io.cleave.yql;

import io.cleave.base.Issue.Position;

import java.util.List;
import java.util.Optional;

/// What a statement says of users, of groups, and of what they may do. Names of users and groups
/// may be `$names`, as those of tables.
public sealed interface AccessCommand {
    /// NULL has no text.
    record Password(Optional<String> text) {}

    /// What is empty was not said.
    record UserOptions(Optional<Password> password, Optional<Boolean> login) {}

    record CreateUser(TableName name, UserOptions options) implements AccessCommand {}

    record AlterUser(TableName name, UserOptions options) implements AccessCommand {}

    record CreateGroup(TableName name, List<TableName> members) implements AccessCommand {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    /// Adds members, or takes them out.
    record AlterGroup(TableName name, boolean adds, List<TableName> members)
            implements AccessCommand {
        public AlterGroup {
            members = List.copyOf(members);
        }
    }

    record Rename(boolean group, TableName from, TableName to) implements AccessCommand {}

    record Drop(boolean group, List<TableName> names, boolean ifExists) implements AccessCommand {
        public Drop {
            names = List.copyOf(names);
        }
    }

    /// A permission as the text names it: in words, in capitals, or as the string of its full name.
    record PermissionName(Position at, String name) {}

    /// GRANT or REVOKE; no permissions means ALL.
    record Change(
            boolean grants,
            List<PermissionName> permissions,
            List<TableName> paths,
            List<TableName> subjects)
            implements AccessCommand {
        public Change {
            permissions = List.copyOf(permissions);
            paths = List.copyOf(paths);
            subjects = List.copyOf(subjects);
        }
    }
}
