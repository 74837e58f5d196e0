package io.cleave.base;

/// Bytes in a file are not what was written there. Names the file and the offset, so that they can
/// be inspected. Corrupt data is never repaired by guess.
public final class CorruptionException extends RuntimeException {
    private final String file;
    private final long fileOffset;
    private final String what;

    public CorruptionException(String file, long fileOffset, String what) {
        super(file + " at " + fileOffset + ": " + what);
        this.file = file;
        this.fileOffset = fileOffset;
        this.what = what;
    }

    public String file() {
        return file;
    }

    public long fileOffset() {
        return fileOffset;
    }

    /// The message without file and offset.
    public String what() {
        return what;
    }
}
