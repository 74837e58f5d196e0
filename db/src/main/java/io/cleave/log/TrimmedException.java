package io.cleave.log;

/// The records asked for have been trimmed: whoever needs them begins from a newer snapshot.
public final class TrimmedException extends LogException {
    public TrimmedException(long position, long firstPosition) {
        super("record " + position + " was trimmed; the log begins at " + firstPosition, null);
    }
}
