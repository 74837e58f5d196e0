package io.cleave.log;

import io.cleave.disk.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/// The disk was full, and the log is as it was before: of the group that was to be written nothing
/// was synced, and what was written of it is gone again. It can be written once more.
final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    /// A disk with less room than this is full, whatever its error is called: the system says it in
    /// the machine's language.
    private static final long FULL_BYTES = 1 << 20;

    NoRoomException(IOException cause) {
        super(cause.getMessage(), cause);
    }

    /// Whether a write to this file failed because there is no room.
    static boolean isReason(IOException failure, Disk disk, Path file) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left on device")
                || message.contains("quota exceeded")
                || disk.usableBytes(file) < FULL_BYTES;
    }
}
