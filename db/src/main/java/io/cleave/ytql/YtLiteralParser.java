package io.cleave.ytql;

import io.cleave.base.Bytes;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtToken.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Parses literals and tuples of them.
final class YtLiteralParser {
    private final YtTokens tokens;

    YtLiteralParser(YtTokens tokens) {
        this.tokens = tokens;
    }

    /// Tuples of literals separated by commas; may be empty.
    List<List<YtLiteral>> tupleList() {
        if (tokens.peek().isSymbol(")")) {
            return List.of();
        }
        List<List<YtLiteral>> tuples = new ArrayList<>();
        do {
            tuples.add(tuple());
        } while (tokens.trySymbol(","));
        return tuples;
    }

    List<YtLiteral> tuple() {
        if (!tokens.trySymbol("(")) {
            return List.of(constant());
        }
        List<YtLiteral> values = new ArrayList<>();
        do {
            values.add(constant());
        } while (tokens.trySymbol(","));
        tokens.expectSymbol(")");
        return values;
    }

    /// A literal, possibly with signs.
    private YtLiteral constant() {
        List<YtOperator> signs = new ArrayList<>();
        for (YtOperator sign = unaryOperator(tokens.peek());
                sign != null;
                sign = unaryOperator(tokens.peek())) {
            var _ = tokens.take();
            signs.add(sign);
        }
        YtLiteral value = literal();
        for (YtOperator sign : signs.reversed()) {
            value = signed(sign, value);
        }
        return value;
    }

    private static YtLiteral signed(YtOperator sign, YtLiteral literal) {
        if (sign == YtOperator.PLUS) {
            return literal;
        }
        boolean minus = sign == YtOperator.MINUS;
        if (literal.value() instanceof Value.Int(long bits)) {
            return new YtLiteral(literal.type(), Value.of(minus ? -bits : ~bits));
        }
        if (minus && literal.value() instanceof Value.Real(double real)) {
            return YtLiterals.real(-real);
        }
        throw new YtException(
                YtCodes.GENERIC,
                (minus ? "Negation" : "Bitwise negation") + " of unsupported type");
    }

    YtLiteral literal() {
        YtToken token = tokens.peek();
        YtLiteral value =
                switch (token.kind()) {
                    case INT64 -> YtLiterals.signed(number(token));
                    case UINT64 -> YtLiterals.unsigned(number(token));
                    case DOUBLE -> YtLiterals.real(Double.parseDouble(token.text()));
                    case STRING -> new YtLiteral(YtType.STRING, Value.binary(bytes(token)));
                    case SYMBOL -> {
                        if (token.isSymbol("#")) {
                            yield YtLiterals.NULL;
                        }
                        throw tokens.unexpected();
                    }
                    case KEYWORD ->
                            switch (token.text()) {
                                case "null" -> YtLiterals.NULL;
                                case "true" -> YtLiterals.bool(true);
                                case "false" -> YtLiterals.bool(false);
                                case "inf" -> YtLiterals.real(Double.POSITIVE_INFINITY);
                                default -> throw tokens.unexpected();
                            };
                    default -> throw tokens.unexpected();
                };
        var _ = tokens.take();
        return value;
    }

    /// The 64 bits of an integer.
    static long number(YtToken token) {
        try {
            return Long.parseUnsignedLong(token.text());
        } catch (NumberFormatException e) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Integer literal \"%s\" does not fit into 64 bits".formatted(token.text()));
        }
    }

    static Bytes bytes(YtToken token) {
        Bytes bytes = token.bytes();
        return bytes == null ? Bytes.EMPTY : bytes;
    }

    /// The unary operator of a token that stands before an operand.
    static @Nullable YtOperator unaryOperator(YtToken token) {
        if (token.kind() != Kind.SYMBOL) {
            return null;
        }
        return switch (token.text()) {
            case "+" -> YtOperator.PLUS;
            case "-" -> YtOperator.MINUS;
            case "~" -> YtOperator.BIT_NOT;
            default -> null;
        };
    }
}
