package io.cleave.access;

import io.cleave.schema.Access;
import io.cleave.schema.Group;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which groups a user is in.
final class Membership {
    private Membership() {}

    /// The groups that contain the user, directly or through other groups. Groups that contain each
    /// other do no harm.
    static SortedSet<String> groupsOf(String user, Access access) {
        SortedSet<String> groups = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(user);
        while (!open.isEmpty()) {
            String member = open.remove();
            for (Group group : access.groups().values()) {
                if (group.members().contains(member) && groups.add(group.name())) {
                    open.add(group.name());
                }
            }
        }
        return groups;
    }
}
