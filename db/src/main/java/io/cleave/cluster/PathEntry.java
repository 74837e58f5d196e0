package io.cleave.cluster;

/// What stands at a path of the tree. `name` is its last element.
public record PathEntry(String name, String path, Kind kind, long createdMicros) {
    public enum Kind {
        DATABASE,
        DIRECTORY,
        TABLE,
        VIEW,
        SYSTEM_VIEW
    }
}
