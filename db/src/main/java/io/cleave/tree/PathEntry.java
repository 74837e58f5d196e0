package io.cleave.tree;

/// An entry of the path tree. `name` is the last element of the path.
public record PathEntry(String name, String path, Kind kind, long createdMicros) {
    public enum Kind {
        DATABASE,
        DIRECTORY,
        TABLE,
        VIEW,
        SYSTEM_VIEW
    }
}
