package io.cleave.wire.scheme;

import io.cleave.schema.AccessChange;
import io.cleave.schema.AccessChange.Action;
import io.cleave.schema.AccessChange.Permit;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.scheme.SchemeOperationProtos.ModifyPermissionsRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.Permissions;
import tech.ydb.proto.scheme.SchemeOperationProtos.PermissionsAction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads ModifyPermissions requests.
public final class PermissionRequests {
    private PermissionRequests() {}

    public static AccessChange change(String path, ModifyPermissionsRequest request) {
        List<Permit> permits = new ArrayList<>();
        for (PermissionsAction action : request.getActionsList()) {
            permits.add(
                    switch (action.getActionCase()) {
                        case GRANT -> permit(Action.GRANT, action.getGrant());
                        case REVOKE -> permit(Action.REVOKE, action.getRevoke());
                        case SET -> permit(Action.SET, action.getSet());
                        case CHANGE_OWNER ->
                                new Permit(Action.OWN, subject(action.getChangeOwner()), List.of());
                        case ACTION_NOT_SET ->
                                throw RequestParts.bad("An element of 'actions' has no action");
                    });
        }
        Optional<Boolean> inherits =
                switch (request.getInheritanceCase()) {
                    case INTERRUPT_INHERITANCE -> Optional.of(!request.getInterruptInheritance());
                    case INHERITANCE_NOT_SET -> Optional.empty();
                };
        return new AccessChange.Change(
                List.of(path), request.getClearPermissions(), inherits, permits);
    }

    private static Permit permit(Action action, Permissions sent) {
        List<String> names = new ArrayList<>();
        for (String name : sent.getPermissionNamesList()) {
            names.add(
                    io.cleave.access.Permissions.find(name)
                            .orElseThrow(
                                    () -> RequestParts.bad("Unknown permission name: " + name)));
        }
        return new Permit(action, subject(sent.getSubject()), names);
    }

    private static String subject(String sent) {
        if (sent.isEmpty()) {
            throw RequestParts.bad("A permission has no subject");
        }
        return sent;
    }
}
