package io.cleave.schema;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Users and groups by name, and access control lists by path. A path without an explicit list is
/// not in the map.
public record Access(
        SortedMap<String, User> users,
        SortedMap<String, Group> groups,
        SortedMap<String, Acl> acls) {
    /// The owner of a path without an explicit owner.
    public static final String DEFAULT_OWNER = "root@builtin";

    public static final Access NOBODY =
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

    /// The permissions on the path, including those inherited from the paths above it, up to the
    /// database or to a path that does not inherit.
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
}
