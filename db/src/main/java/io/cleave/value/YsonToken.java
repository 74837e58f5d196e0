package io.cleave.value;

/// What [YsonLexer] finds in bytes of YSON.
public enum YsonToken {
    STRING,
    INT64,
    UINT64,
    DOUBLE,
    BOOLEAN,
    ENTITY,
    BEGIN_LIST,
    END_LIST,
    BEGIN_MAP,
    END_MAP,
    BEGIN_ATTRIBUTES,
    END_ATTRIBUTES,
    EQUALS,
    SEMICOLON,
    /// There are no more bytes.
    END
}
