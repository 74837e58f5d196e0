package io.cleave.log;

import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/// The disk was full. The log is unchanged: nothing of the group was synced, and what was written
/// of it was removed. The group can be committed again.
final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    /// A disk with less free space than this is considered full, whatever the error message says,
    /// because the system's messages may be in any language.
    private static final long FULL_BYTES = 1 << 20;

    NoRoomException(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /// Whether a write to this file failed because the disk is full.
    static boolean isReason(IOException failure, Disk disk, Path file) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left on device")
                || message.contains("quota exceeded")
                || disk.usableBytes(file) < FULL_BYTES;
    }
}
