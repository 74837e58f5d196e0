package io.cleave.access;

import io.cleave.schema.Access;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Who makes a call.
///
/// @param user empty if the caller names none
/// @param groups the groups that the user is in, directly or through other groups
/// @param address where the call comes from, as the socket shows it: `/127.0.0.1:5000`; empty
///   inside this process
public record Caller(
        String user, SortedSet<String> groups, Authentication authentication, String address) {
    /// The group that every caller with a user is in.
    static final String ALL_USERS = "all-users@well-known";

    /// Code of this process, such as a test or an embedded application.
    public static final Caller IN_PROCESS =
            new Caller("", Collections.emptySortedSet(), Authentication.IN_PROCESS, "");

    public Caller {
        groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    }

    /// A caller over the network that names no user.
    public static Caller anonymous(String address) {
        return new Caller("", Collections.emptySortedSet(), Authentication.ANONYMOUS, address);
    }

    /// A caller over the network, with the user of its token and the groups that this user is in
    /// now. An empty user is anonymous.
    public static Caller ofToken(String user, String address, Access access) {
        return user.isEmpty()
                ? anonymous(address)
                : new Caller(
                        user,
                        Membership.groupsOf(user, access),
                        Authentication.UNSIGNED_TOKEN,
                        address);
    }

    /// Whether a permission of this user or group is one of the caller.
    boolean is(String subject) {
        return !user.isEmpty()
                && (subject.equals(user) || groups.contains(subject) || subject.equals(ALL_USERS));
    }

    /// A client by its host and user. Sessions are shared out among peers.
    public record Peer(String host, String user) {
        @Override
        public String toString() {
            return user.isEmpty() ? host : user + "@" + host;
        }
    }

    /// The host is the address without its port, and without the name before the slash.
    public Peer peer() {
        int slash = address.indexOf('/');
        int colon = address.lastIndexOf(':');
        String host = address.substring(slash + 1, colon > slash ? colon : address.length());
        return new Peer(host, user);
    }
}
