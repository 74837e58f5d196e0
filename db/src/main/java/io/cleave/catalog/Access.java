package io.cleave.catalog;

import io.cleave.catalog.CatalogChange.AccessRow;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutGroup;
import io.cleave.catalog.CatalogChange.PutUser;
import io.cleave.catalog.CatalogChange.RemoveGroup;
import io.cleave.catalog.CatalogChange.RemoveUser;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Users and groups by name, and what was granted by path. Paths of which nobody has said anything
/// are not there.
public record Access(
        SortedMap<String, User> users,
        SortedMap<String, Group> groups,
        SortedMap<String, Acl> acls) {
    /// Who owns what nobody has said to own.
    public static final String DEFAULT_OWNER = "root@builtin";

    static final Access NOBODY =
            new Access(
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap());

    public Access {
        users = Collections.unmodifiableSortedMap(users);
        groups = Collections.unmodifiableSortedMap(groups);
        acls = Collections.unmodifiableSortedMap(acls);
    }

    public Acl acl(String path) {
        return acls.getOrDefault(path, Acl.NONE);
    }

    public String owner(String path) {
        String owner = acl(path).owner();
        return owner.isEmpty() ? DEFAULT_OWNER : owner;
    }

    /// What was granted on the path and on those above it, down from the database, or from where
    /// inheritance was interrupted.
    public SortedMap<String, SortedSet<String>> effective(String path, String database) {
        SortedMap<String, SortedSet<String>> granted = new TreeMap<>();
        String at = path;
        boolean further = true;
        while (further) {
            acl(at).permissions()
                    .forEach(
                            (subject, names) ->
                                    granted.computeIfAbsent(subject, _ -> new TreeSet<>())
                                            .addAll(names));
            further = acl(at).inherits() && at.length() > database.length();
            at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
        }
        return granted;
    }

    Changing changing() {
        return new Changing();
    }

    /// The next one, copied only if something changes.
    final class Changing {
        private @Nullable SortedMap<String, User> newUsers;
        private @Nullable SortedMap<String, Group> newGroups;
        private @Nullable SortedMap<String, Acl> newAcls;

        void put(AccessRow row) {
            switch (row) {
                case PutUser(User user) -> users().put(user.name(), user);
                case RemoveUser(String name) -> users().remove(name);
                case PutGroup(Group group) -> groups().put(group.name(), group);
                case RemoveGroup(String name) -> groups().remove(name);
                case PutAcl(String path, Acl acl) -> {
                    if (acl.equals(Acl.NONE)) {
                        acls().remove(path);
                    } else {
                        acls().put(path, acl);
                    }
                }
            }
        }

        void remove(String path) {
            if ((newAcls == null ? acls : newAcls).containsKey(path)) {
                acls().remove(path);
            }
        }

        Access done() {
            return newUsers == null && newGroups == null && newAcls == null
                    ? Access.this
                    : new Access(
                            newUsers == null ? users : newUsers,
                            newGroups == null ? groups : newGroups,
                            newAcls == null ? acls : newAcls);
        }

        private SortedMap<String, User> users() {
            SortedMap<String, User> copy = newUsers == null ? new TreeMap<>(users) : newUsers;
            newUsers = copy;
            return copy;
        }

        private SortedMap<String, Group> groups() {
            SortedMap<String, Group> copy = newGroups == null ? new TreeMap<>(groups) : newGroups;
            newGroups = copy;
            return copy;
        }

        private SortedMap<String, Acl> acls() {
            SortedMap<String, Acl> copy = newAcls == null ? new TreeMap<>(acls) : newAcls;
            newAcls = copy;
            return copy;
        }
    }
}
