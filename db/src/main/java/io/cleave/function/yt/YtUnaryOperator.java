package io.cleave.function.yt;

import java.util.EnumSet;
import java.util.Set;

/// The operators with one operand. The result has the operand's type.
public enum YtUnaryOperator {
    PLUS("+", "Plus"),
    MINUS("-", "Minus"),
    BIT_NOT("~", "BitNot"),
    NOT("NOT", "Not");

    private final String lexeme;
    private final String title;

    YtUnaryOperator(String lexeme, String title) {
        this.lexeme = lexeme;
        this.title = title;
    }

    /// How the operator is written in a query.
    public String lexeme() {
        return lexeme;
    }

    /// How messages name the operator.
    String title() {
        return title;
    }

    /// The types that the operand may have.
    Set<YtType> types() {
        return switch (this) {
            case PLUS, MINUS -> EnumSet.of(YtType.INT64, YtType.UINT64, YtType.DOUBLE);
            case BIT_NOT -> EnumSet.of(YtType.INT64, YtType.UINT64);
            case NOT -> EnumSet.of(YtType.BOOLEAN);
        };
    }
}
