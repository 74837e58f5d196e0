package io.cleave.schema;

import java.util.List;
import java.util.Optional;

/// A change of users, groups or permissions. Permissions are stored, but not enforced yet.
public sealed interface AccessChange {
    /// The password is in plain text; empty if there is none.
    record CreateUser(String name, Optional<String> password, boolean login)
            implements AccessChange {}

    /// Empty options stay unchanged. A password that is the empty string removes the password.
    record AlterUser(String name, Optional<String> password, Optional<Boolean> login)
            implements AccessChange {}

    record CreateGroup(String name, List<String> members) implements AccessChange {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    /// Adds or removes members.
    record AlterGroup(String name, boolean adds, List<String> members) implements AccessChange {
        public AlterGroup {
            members = List.copyOf(members);
        }
    }

    record Rename(boolean group, String from, String to) implements AccessChange {}

    record Drop(boolean group, List<String> names, boolean ifExists) implements AccessChange {
        public Drop {
            names = List.copyOf(names);
        }
    }

    /// The actions of GRANT and REVOKE, and the older actions of the Scheme service.
    enum Action {
        GRANT,
        REVOKE,
        /// Replaces the subject's permissions on the path.
        SET,
        /// Makes the subject the owner; there are no permissions.
        OWN
    }

    /// The permissions of one subject on a path, by their full names.
    record Permit(Action action, String subject, List<String> permissions) {
        public Permit {
            permissions = List.copyOf(permissions);
        }
    }

    /// Applies all permits to each of the paths. With `clear`, all existing permissions are removed
    /// first.
    record Change(
            List<String> paths, boolean clear, Optional<Boolean> inherits, List<Permit> permits)
            implements AccessChange {
        public Change {
            paths = List.copyOf(paths);
            permits = List.copyOf(permits);
        }
    }
}
