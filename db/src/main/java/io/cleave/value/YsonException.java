package io.cleave.value;

/// The bytes are not YSON. Has no stack trace: it is an expected answer to what a user sent.
public final class YsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long position;
    private final boolean atEnd;

    YsonException(String reason, long position, boolean atEnd) {
        super(reason, null, false, false);
        this.position = position;
        this.atEnd = atEnd;
    }

    /// What is wrong, without the position.
    public String reason() {
        return String.valueOf(getMessage());
    }

    /// The offset of the byte at which reading stopped.
    public long position() {
        return position;
    }

    /// Whether the error is at the end of the bytes. They may be the beginning of a valid value.
    public boolean atEnd() {
        return atEnd;
    }
}
