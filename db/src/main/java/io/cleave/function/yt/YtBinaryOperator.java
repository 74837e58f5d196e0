package io.cleave.function.yt;

import io.cleave.typed.Typed.Comparison;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Set;

/// The operators with two operands. Both operands have the same type, which is one of [#types].
public enum YtBinaryOperator {
    PLUS("+", "Plus"),
    MINUS("-", "Minus"),
    MULTIPLY("*", "Multiply"),
    DIVIDE("/", "Divide"),
    MODULO("%", "Modulo"),
    LEFT_SHIFT("<<", "LeftShift"),
    RIGHT_SHIFT(">>", "RightShift"),
    BIT_OR("|", "BitOr"),
    BIT_AND("&", "BitAnd"),
    AND("AND", "And"),
    OR("OR", "Or"),
    EQUAL("=", "Equal"),
    NOT_EQUAL("!=", "NotEqual"),
    LESS("<", "Less"),
    LESS_OR_EQUAL("<=", "LessOrEqual"),
    GREATER(">", "Greater"),
    GREATER_OR_EQUAL(">=", "GreaterOrEqual"),
    CONCATENATE("||", "Concatenate");

    private final String lexeme;
    private final String title;

    YtBinaryOperator(String lexeme, String title) {
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

    public boolean isRelation() {
        return comparison() != null;
    }

    boolean isLogic() {
        return this == AND || this == OR;
    }

    /// The comparison; null for an operator that is not a comparison.
    @Nullable Comparison comparison() {
        return switch (this) {
            case EQUAL -> Comparison.EQUAL;
            case NOT_EQUAL -> Comparison.NOT_EQUAL;
            case LESS -> Comparison.LESS;
            case LESS_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
            case GREATER -> Comparison.GREATER;
            case GREATER_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
            default -> null;
        };
    }

    /// The types that the operands may have.
    Set<YtType> types() {
        return switch (this) {
            case PLUS, MINUS, MULTIPLY, DIVIDE ->
                    EnumSet.of(YtType.INT64, YtType.UINT64, YtType.DOUBLE);
            case MODULO, LEFT_SHIFT, RIGHT_SHIFT, BIT_OR, BIT_AND ->
                    EnumSet.of(YtType.INT64, YtType.UINT64);
            case AND, OR -> EnumSet.of(YtType.BOOLEAN);
            case CONCATENATE -> EnumSet.of(YtType.STRING);
            default -> EnumSet.complementOf(EnumSet.of(YtType.NULL));
        };
    }
}
