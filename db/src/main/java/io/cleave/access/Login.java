package io.cleave.access;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Access;
import io.cleave.schema.User;

import java.util.List;
import java.util.Optional;

/// Checks a name and a password. If the database has no users, any name may log in.
public final class Login {
    /// This user exists even if nobody created it. Its password is then that of YDB's local image,
    /// or empty.
    private static final String BUILT_IN = "root";

    private static final String BUILT_IN_PASSWORD = "1234";

    private Login() {}

    /// Throws UNAUTHORIZED if the user may not log in. Hashing the password takes a while.
    public static void check(Access access, String name, String password) {
        User user = access.users().get(name);
        if (user == null) {
            checkBuiltIn(name, password, access.users().isEmpty());
            return;
        }
        if (!PasswordHash.matches(user.password(), password)) {
            throw refused("Invalid password");
        }
        if (!user.enabled()) {
            throw refused("User " + name + " is not permitted to log in");
        }
    }

    private static void checkBuiltIn(String name, String password, boolean withoutUsers) {
        if (name.equals(BUILT_IN)) {
            if (!password.isEmpty() && !password.equals(BUILT_IN_PASSWORD)) {
                throw refused("Invalid password");
            }
        } else if (!withoutUsers) {
            throw refused("Cannot find user: " + name);
        }
    }

    private static StatusException refused(String why) {
        return new StatusException(
                Status.UNAUTHORIZED,
                new Issue(
                        Issue.Severity.FATAL,
                        Status.UNAUTHORIZED.code(),
                        why,
                        Optional.empty(),
                        List.of()));
    }
}
