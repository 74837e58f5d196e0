package io.cleave.access;

import io.cleave.base.StatusException;
import io.cleave.schema.Access;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Each command draws users, groups and permissions, and then asks. The lines are:
///
/// ```
/// group NAME MEMBER…
/// grant PATH SUBJECT PERMISSION…
/// owner PATH SUBJECT
/// interrupt PATH          the permissions above do not apply here
/// may USER RIGHT PATH     '-' is a caller without a user
/// groups USER
/// login NAME PASSWORD     '-' is an empty password
/// user NAME PASSWORD
/// ```
class AccessCheckTest {
    private static final String DATABASE = "/local";

    @TestFactory
    Stream<DynamicTest> rules() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/access"),
                command -> {
                    var drawing = new Drawing();
                    return command.input().stream()
                            .map(line -> drawing.take(line.split("\\s+")))
                            .filter(answer -> !answer.isEmpty())
                            .collect(Collectors.joining("\n"));
                });
    }

    private static final class Drawing {
        private final SortedMap<String, User> users = new TreeMap<>();
        private final SortedMap<String, Group> groups = new TreeMap<>();
        private final SortedMap<String, Acl> acls = new TreeMap<>();

        /// Empty for a line that draws.
        String take(String[] words) {
            List<String> rest = Arrays.asList(words).subList(2, words.length);
            return switch (words[0]) {
                case "user" -> {
                    users.put(words[1], new User(words[1], stored(words[2]), true, 0));
                    yield "";
                }
                case "group" -> {
                    groups.put(words[1], new Group(words[1], new TreeSet<>(rest)));
                    yield "";
                }
                case "owner" -> {
                    Acl acl = acl(words[1]);
                    acls.put(words[1], new Acl(words[2], acl.inherits(), acl.permissions()));
                    yield "";
                }
                case "interrupt" -> {
                    Acl acl = acl(words[1]);
                    acls.put(words[1], new Acl(acl.owner(), false, acl.permissions()));
                    yield "";
                }
                case "grant" -> {
                    grant(words[1], words[2], rest.subList(1, rest.size()));
                    yield "";
                }
                case "groups" -> words[1] + " is in " + Membership.groupsOf(words[1], access());
                case "may" -> may(words[1], words[2], words[3]);
                case "login" -> login(words[1], words[2]);
                default -> throw new IllegalArgumentException(words[0]);
            };
        }

        private static String stored(String password) {
            return password.equals("-") ? "" : PasswordHash.of(password, new Random(1));
        }

        private Acl acl(String path) {
            return acls.getOrDefault(path, Acl.NONE);
        }

        private void grant(String path, String subject, List<String> names) {
            SortedMap<String, SortedSet<String>> all = new TreeMap<>(acl(path).permissions());
            var granted = new TreeSet<>(all.getOrDefault(subject, Collections.emptySortedSet()));
            names.forEach(name -> granted.add(Permissions.find(name).orElseThrow()));
            all.put(subject, granted);
            acls.put(path, new Acl(acl(path).owner(), acl(path).inherits(), all));
        }

        private Access access() {
            return new Access(users, groups, acls);
        }

        private String may(String user, String right, String path) {
            Caller caller =
                    user.equals("-")
                            ? Caller.anonymous("/10.0.0.1:5000")
                            : Caller.ofToken(user, "/10.0.0.1:5000", access());
            boolean may =
                    new AccessCheck(access(), DATABASE).may(caller, Right.valueOf(right), path);
            return "%s %s %s: %s".formatted(user, right, path, may ? "yes" : "no");
        }

        private String login(String name, String password) {
            try {
                Login.check(access(), name, password.equals("-") ? "" : password);
                return name + ": welcome";
            } catch (StatusException e) {
                return name + ": " + e.getMessage();
            }
        }
    }
}
