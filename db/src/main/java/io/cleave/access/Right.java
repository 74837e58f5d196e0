package io.cleave.access;

/// A single right on a path, with YDB's bit. [Permissions] are named sets of rights.
public enum Right {
    SELECT_ROW(1),
    UPDATE_ROW(1 << 1),
    ERASE_ROW(1 << 2),
    READ_ATTRIBUTES(1 << 3),
    WRITE_ATTRIBUTES(1 << 4),
    CREATE_DIRECTORY(1 << 5),
    CREATE_TABLE(1 << 6),
    CREATE_QUEUE(1 << 7),
    REMOVE_SCHEMA(1 << 8),
    DESCRIBE_SCHEMA(1 << 9),
    ALTER_SCHEMA(1 << 10),
    CREATE_DATABASE(1 << 11),
    DROP_DATABASE(1 << 12),
    GRANT(1 << 13),
    WRITE_USER_ATTRIBUTES(1 << 14),
    /// Applies to the database only, and is not inherited.
    CONNECT(1 << 15);

    private final int bit;

    Right(int bit) {
        this.bit = bit;
    }

    int bit() {
        return bit;
    }
}
