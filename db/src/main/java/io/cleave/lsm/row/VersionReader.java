package io.cleave.lsm.row;

/// Receives the versions of one row, the newest first.
@FunctionalInterface
public interface VersionReader {
    /// `fields` has the fields of this version only, and is valid during the call. Returns whether
    /// to continue with older versions.
    boolean version(long timestamp, RowChange.Kind kind, Row fields);
}
