package io.cleave.schema;

import java.util.List;
import java.util.Optional;

/// A change of users, of groups, or of what they may do. Nothing of it is enforced yet.
public sealed interface AccessChange {
    /// A password is what the user types; without one there is none.
    record CreateUser(String name, Optional<String> password, boolean login)
            implements AccessChange {}

    /// What is empty stays; an empty password means that there is none.
    record AlterUser(String name, Optional<String> password, Optional<Boolean> login)
            implements AccessChange {}

    record CreateGroup(String name, List<String> members) implements AccessChange {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    /// Adds members, or takes them out.
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

    /// What GRANT and REVOKE do, and the older ways of the Scheme service.
    enum Action {
        GRANT,
        REVOKE,
        /// Instead of what the subject was granted there.
        SET,
        /// The subject becomes the owner; there are no permissions.
        OWN
    }

    /// One subject's permissions on one path, by their full names.
    record Permit(Action action, String subject, List<String> permissions) {
        public Permit {
            permissions = List.copyOf(permissions);
        }
    }

    /// All of it together on each of the paths. With `clear` everything granted there goes first.
    record Change(
            List<String> paths, boolean clear, Optional<Boolean> inherits, List<Permit> permits)
            implements AccessChange {
        public Change {
            paths = List.copyOf(paths);
            permits = List.copyOf(permits);
        }
    }
}
