package io.cleave.tree;

import io.cleave.access.PasswordHash;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutGroup;
import io.cleave.catalog.CatalogChange.PutUser;
import io.cleave.catalog.CatalogChange.RemoveGroup;
import io.cleave.catalog.CatalogChange.RemoveUser;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.PathErrors;
import io.cleave.schema.Access;
import io.cleave.schema.AccessChange;
import io.cleave.schema.AccessChange.Permit;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Translates a statement about users, groups or permissions into catalog changes, or refuses it.
record AccessRules(CatalogView view, String database, Env env) {
    List<CatalogChange> changes(AccessChange change) {
        return switch (change) {
            case AccessChange.CreateUser(String name, Optional<String> password, boolean login) -> {
                checkNew(name);
                yield List.of(
                        new PutUser(
                                new User(
                                        name, hash(password.orElse("")), login, env.wallMicros())));
            }
            case AccessChange.AlterUser alter -> {
                User user = user(alter.name());
                yield List.of(
                        new PutUser(
                                new User(
                                        user.name(),
                                        alter.password().map(this::hash).orElse(user.password()),
                                        alter.login().orElse(user.enabled()),
                                        user.createdMicros())));
            }
            case AccessChange.CreateGroup(String name, List<String> members) -> {
                checkNew(name);
                members.forEach(this::checkMember);
                yield List.of(new PutGroup(new Group(name, new TreeSet<>(members))));
            }
            case AccessChange.AlterGroup(String name, boolean adds, List<String> members) ->
                    List.of(new PutGroup(altered(group(name), adds, members)));
            case AccessChange.Rename(boolean group, String from, String to) ->
                    renamed(group, from, to);
            case AccessChange.Drop(boolean group, List<String> names, boolean ifExists) -> {
                List<CatalogChange> drops = new ArrayList<>();
                for (String name : names) {
                    drops.addAll(dropped(group, name, ifExists));
                }
                yield drops;
            }
            case AccessChange.Change permits -> {
                List<CatalogChange> acls = new ArrayList<>();
                for (String path : permits.paths()) {
                    acls.add(new PutAcl(path, acl(path, permits)));
                }
                yield acls;
            }
        };
    }

    private Access access() {
        return view.access();
    }

    private String hash(String password) {
        return password.isEmpty() ? "" : PasswordHash.of(password, env.random());
    }

    /// Users and groups share one namespace.
    private void checkNew(String name) {
        boolean plain =
                name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
        if (name.isEmpty() || !plain) {
            throw refuse(
                    "Name is not allowed: '" + name + "' (lower-case letters and digits only)");
        }
        if (access().users().containsKey(name)) {
            throw refuse("User already exists: " + name);
        }
        if (access().groups().containsKey(name)) {
            throw refuse("Group already exists: " + name);
        }
    }

    private void checkMember(String name) {
        if (!access().users().containsKey(name) && !access().groups().containsKey(name)) {
            throw refuse("Member account not found: " + name);
        }
    }

    private User user(String name) {
        User user = access().users().get(name);
        if (user == null) {
            throw refuse("User not found: " + name);
        }
        return user;
    }

    private Group group(String name) {
        Group group = access().groups().get(name);
        if (group == null) {
            throw refuse("Group not found: " + name);
        }
        return group;
    }

    private Group altered(Group group, boolean adds, List<String> members) {
        SortedSet<String> changed = new TreeSet<>(group.members());
        for (String member : members) {
            if (adds) {
                checkMember(member);
                if (contains(member, group.name())) {
                    throw refuse(member + " contains " + group.name() + ", so it cannot be in it");
                }
                changed.add(member);
            } else if (!changed.remove(member)) {
                throw refuse(member + " is not a member of " + group.name());
            }
        }
        return new Group(group.name(), changed);
    }

    /// Whether `outer` is `inner`, or contains it directly or through other groups.
    private boolean contains(String outer, String inner) {
        if (outer.equals(inner)) {
            return true;
        }
        Group group = access().groups().get(outer);
        return group != null && group.members().stream().anyMatch(m -> contains(m, inner));
    }

    /// Group memberships and permissions are carried over to the new name.
    private List<CatalogChange> renamed(boolean group, String from, String to) {
        List<CatalogChange> changes = new ArrayList<>();
        if (group) {
            Group known = group(from);
            checkNew(to);
            changes.add(new RemoveGroup(from));
            changes.add(new PutGroup(new Group(to, known.members())));
        } else {
            User known = user(from);
            checkNew(to);
            changes.add(new RemoveUser(from));
            changes.add(
                    new PutUser(
                            new User(
                                    to, known.password(), known.enabled(), known.createdMicros())));
        }
        changes.addAll(memberships(from, Optional.of(to)));
        access().acls()
                .forEach(
                        (path, acl) -> {
                            if (names(acl, from)) {
                                changes.add(new PutAcl(path, withName(acl, from, to)));
                            }
                        });
        return changes;
    }

    private static boolean names(Acl acl, String subject) {
        return acl.owner().equals(subject) || acl.permissions().containsKey(subject);
    }

    private static Acl withName(Acl acl, String from, String to) {
        SortedMap<String, SortedSet<String>> permissions = new TreeMap<>(acl.permissions());
        SortedSet<String> granted = permissions.remove(from);
        if (granted != null) {
            permissions.put(to, granted);
        }
        return new Acl(acl.owner().equals(from) ? to : acl.owner(), acl.inherits(), permissions);
    }

    private Stream<Group> groupsWith(String member) {
        return access().groups().values().stream().filter(g -> g.members().contains(member));
    }

    private List<CatalogChange> memberships(String member, Optional<String> instead) {
        List<CatalogChange> changes = new ArrayList<>();
        groupsWith(member)
                .forEach(
                        group -> {
                            var members = new TreeSet<>(group.members());
                            members.remove(member);
                            instead.ifPresent(members::add);
                            changes.add(new PutGroup(new Group(group.name(), members)));
                        });
        return changes;
    }

    /// A user or group that owns a path or has permissions cannot be dropped: a later one of the
    /// same name would inherit them.
    private List<CatalogChange> dropped(boolean group, String name, boolean ifExists) {
        boolean there =
                group ? access().groups().containsKey(name) : access().users().containsKey(name);
        if (!there) {
            if (ifExists) {
                return List.of();
            }
            throw refuse((group ? "Group not found: " : "User not found: ") + name);
        }
        access().acls()
                .forEach(
                        (path, acl) -> {
                            String who = (group ? "Group " : "User ") + name;
                            if (acl.owner().equals(name)) {
                                throw refuse(who + " owns " + path + " and can't be removed");
                            }
                            if (acl.permissions().containsKey(name)) {
                                throw refuse(
                                        who
                                                + " has an ACL record on "
                                                + path
                                                + " and can't be removed");
                            }
                        });
        List<CatalogChange> changes = new ArrayList<>(memberships(name, Optional.empty()));
        changes.add(group ? new RemoveGroup(name) : new RemoveUser(name));
        return changes;
    }

    private Acl acl(String path, AccessChange.Change change) {
        if (!path.equals(database) && view.find(path).isEmpty()) {
            throw PathErrors.missing(path);
        }
        Acl before = access().acl(path);
        String owner = before.owner();
        SortedMap<String, SortedSet<String>> permissions =
                new TreeMap<>(change.clear() ? Collections.emptySortedMap() : before.permissions());
        for (Permit permit : change.permits()) {
            var granted =
                    new TreeSet<String>(
                            permissions.getOrDefault(
                                    permit.subject(), Collections.emptySortedSet()));
            switch (permit.action()) {
                case GRANT -> granted.addAll(permit.permissions());
                case REVOKE -> permit.permissions().forEach(granted::remove);
                case SET -> {
                    granted.clear();
                    granted.addAll(permit.permissions());
                }
                case OWN -> owner = permit.subject();
            }
            permissions.put(permit.subject(), granted);
        }
        var changed = new Acl(owner, change.inherits().orElse(before.inherits()), permissions);
        if (changed.bytes() > Acl.MAX_BYTES) {
            throw PathErrors.problem(
                    path, "path's ACL is too long: at most " + Acl.MAX_BYTES + " bytes");
        }
        return changed;
    }

    private static StatusException refuse(String message) {
        return new StatusException(Status.PRECONDITION_FAILED, message);
    }
}
