package io.cleave.yql;

import io.cleave.base.Issue.Position;

import java.util.List;
import java.util.Optional;

/// A statement about users, groups or permissions. As with tables, the name of a user or group may
/// be a `$name`.
public sealed interface AccessCommand {
    /// `PASSWORD NULL` has no text.
    record Password(Optional<String> text) {}

    /// An option that the statement does not contain is empty.
    record UserOptions(Optional<Password> password, Optional<Boolean> login) {}

    record CreateUser(TableName name, UserOptions options) implements AccessCommand {}

    record AlterUser(TableName name, UserOptions options) implements AccessCommand {}

    record CreateGroup(TableName name, List<TableName> members) implements AccessCommand {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    /// Adds members to the group, or removes them.
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

    /// A permission as written: in words, in capitals, or as a string with its full name.
    record PermissionName(Position at, String name) {}

    /// GRANT or REVOKE. An empty list of permissions means ALL.
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
