package io.cleave.wire;

import io.cleave.cluster.PathEntry;

import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;

/// What stands at a path, on the wire.
final class SchemeEntries {
    private SchemeEntries() {}

    static Entry entry(PathEntry entry) {
        if (entry.path().equals("/")) {
            return Entry.newBuilder().setName("/").setType(Entry.Type.DIRECTORY).build();
        }
        var proto =
                Entry.newBuilder()
                        .setName(entry.name())
                        .setOwner(AuthService.USER)
                        .setType(type(entry.kind()));
        // YDB's plan steps are milliseconds.
        proto.getCreatedAtBuilder().setPlanStep(entry.createdMicros() / 1000);
        return proto.build();
    }

    private static Entry.Type type(PathEntry.Kind kind) {
        return switch (kind) {
            // The Java SDK's own tests take the database for a directory.
            case DATABASE, DIRECTORY -> Entry.Type.DIRECTORY;
            // Clients that know nothing of system views read them as tables.
            case TABLE, SYSTEM_VIEW -> Entry.Type.TABLE;
        };
    }
}
