package io.cleave.catalog;

import io.cleave.catalog.CatalogChange.AccessRow;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutGroup;
import io.cleave.catalog.CatalogChange.PutUser;
import io.cleave.catalog.CatalogChange.RemoveGroup;
import io.cleave.catalog.CatalogChange.RemoveUser;
import io.cleave.schema.Access;
import io.cleave.schema.Acl;
import io.cleave.schema.Group;
import io.cleave.schema.User;

import org.jspecify.annotations.Nullable;

import java.util.SortedMap;
import java.util.TreeMap;

/// Applies changes to users, groups and permissions. Copies only the maps that change.
final class ChangedAccess {
    private final Access before;
    private @Nullable SortedMap<String, User> newUsers;
    private @Nullable SortedMap<String, Group> newGroups;
    private @Nullable SortedMap<String, Acl> newAcls;

    ChangedAccess(Access before) {
        this.before = before;
    }

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
        if ((newAcls == null ? before.acls() : newAcls).containsKey(path)) {
            acls().remove(path);
        }
    }

    Access done() {
        return newUsers == null && newGroups == null && newAcls == null
                ? before
                : new Access(
                        newUsers == null ? before.users() : newUsers,
                        newGroups == null ? before.groups() : newGroups,
                        newAcls == null ? before.acls() : newAcls);
    }

    private SortedMap<String, User> users() {
        SortedMap<String, User> copy = newUsers == null ? new TreeMap<>(before.users()) : newUsers;
        newUsers = copy;
        return copy;
    }

    private SortedMap<String, Group> groups() {
        SortedMap<String, Group> copy =
                newGroups == null ? new TreeMap<>(before.groups()) : newGroups;
        newGroups = copy;
        return copy;
    }

    private SortedMap<String, Acl> acls() {
        SortedMap<String, Acl> copy = newAcls == null ? new TreeMap<>(before.acls()) : newAcls;
        newAcls = copy;
        return copy;
    }
}
