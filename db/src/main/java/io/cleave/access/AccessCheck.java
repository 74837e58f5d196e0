package io.cleave.access;

import io.cleave.schema.Access;

import java.util.SortedMap;
import java.util.SortedSet;

/// Decides what callers may do, by the rules of YDB. The owner of a path, and each member of a
/// group that owns it, may do everything there. Others need the right in a permission of the path,
/// or of a path above it whose permissions are inherited.
public record AccessCheck(Access access, String database) {
    public boolean may(Caller caller, Right right, String path) {
        if (caller.authentication() == Authentication.IN_PROCESS || caller.is(access.owner(path))) {
            return true;
        }
        return allows(right == Right.CONNECT ? own(path) : inherited(path), caller, right);
    }

    private SortedMap<String, SortedSet<String>> own(String path) {
        return access.acl(path).permissions();
    }

    private SortedMap<String, SortedSet<String>> inherited(String path) {
        return access.effective(path, database);
    }

    private static boolean allows(
            SortedMap<String, SortedSet<String>> granted, Caller caller, Right right) {
        return granted.entrySet().stream()
                .filter(entry -> caller.is(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .anyMatch(permission -> (Permissions.rights(permission) & right.bit()) != 0);
    }
}
