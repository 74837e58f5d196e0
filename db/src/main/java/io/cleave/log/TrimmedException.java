package io.cleave.log;

/// The requested records have been trimmed; a reader must start from a newer snapshot.
public final class TrimmedException extends LogException {
    public TrimmedException(long position, long firstPosition) {
        super("record " + position + " was trimmed; the log begins at " + firstPosition, null);
    }
}
