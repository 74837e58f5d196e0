package io.cleave.wire.scheme;

import io.cleave.schema.Access;
import io.cleave.tree.PathEntry;
import io.cleave.tree.Scheme;

import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.SchemeOperationProtos.Permissions;

import java.util.SortedSet;

/// Describes the entry at a path.
public final class SchemeEntries {
    private SchemeEntries() {}

    /// The entry with its owner, the permissions granted on it, and the effective ones, which
    /// include those granted above it.
    public static Entry entry(PathEntry entry, Scheme scheme) {
        Access access = scheme.access();
        if (entry.path().equals("/")) {
            return Entry.newBuilder().setName("/").setType(Entry.Type.DIRECTORY).build();
        }
        var proto =
                Entry.newBuilder()
                        .setName(entry.name())
                        .setOwner(access.owner(entry.path()))
                        .setType(type(entry.kind()));
        // YDB's plan steps are milliseconds.
        proto.getCreatedAtBuilder().setPlanStep(entry.createdMicros() / 1000);
        access.acl(entry.path())
                .permissions()
                .forEach((subject, names) -> proto.addPermissions(permissions(subject, names)));
        access.effective(entry.path(), scheme.database())
                .forEach(
                        (subject, names) ->
                                proto.addEffectivePermissions(permissions(subject, names)));
        return proto.build();
    }

    private static Permissions permissions(String subject, SortedSet<String> names) {
        return Permissions.newBuilder().setSubject(subject).addAllPermissionNames(names).build();
    }

    private static Entry.Type type(PathEntry.Kind kind) {
        return switch (kind) {
            // The Java SDK's own tests expect a directory for the database.
            case DATABASE, DIRECTORY -> Entry.Type.DIRECTORY;
            case VIEW -> Entry.Type.VIEW;
            // Clients that do not know system views read them as tables.
            case TABLE, SYSTEM_VIEW -> Entry.Type.TABLE;
        };
    }
}
