package io.cleave.ytql;

import io.cleave.function.yt.YtLiteral;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpression.Place;
import io.cleave.ytql.YtToken.Kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Parses the operands of operators: literals, columns, calls, CASE, CAST, TRANSFORM, and
/// expressions in parentheses. Expressions inside them are parsed by [YtExpressionParser].
final class YtOperandParser {
    /// The maximum nesting of parentheses and prefix operators. The limited depth of an expression
    /// allows no deeper nesting, except for redundant parentheses.
    private static final int MAX_NESTING = 200;

    private final YtTokens tokens;
    private final YtExpressionParser expressions;
    private final YtLiteralParser literals;
    private int nesting;

    YtOperandParser(YtTokens tokens, YtExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.literals = new YtLiteralParser(tokens);
    }

    /// Called where the parser begins to recurse.
    void enter() {
        if (++nesting > MAX_NESTING) {
            throw YtExpressionTyping.tooDeep();
        }
    }

    /// Called where the recursion ends.
    void leave() {
        nesting--;
    }

    /// An operand. It is a tuple if it is in parentheses.
    List<YtExpression> operand() {
        YtToken token = tokens.peek();
        return switch (token.kind()) {
            case IDENTIFIER -> List.of(tokens.peekSecond().isSymbol("(") ? call() : reference());
            case INT64, UINT64, DOUBLE, STRING ->
                    List.of(new YtExpression.Literal(place(token), literals.literal()));
            case PLACEHOLDER -> List.of(tokens.trySent().orElseThrow(tokens::unexpected));
            case SYMBOL -> {
                if (token.isSymbol("(")) {
                    yield parentheses();
                }
                if (token.isSymbol("#")) {
                    yield List.of(new YtExpression.Literal(place(token), literals.literal()));
                }
                throw tokens.unexpected();
            }
            case KEYWORD ->
                    List.of(
                            switch (token.text()) {
                                case "null", "true", "false", "inf" ->
                                        new YtExpression.Literal(place(token), literals.literal());
                                case "transform" -> transform();
                                case "case" -> choice();
                                case "cast" -> cast();
                                default -> throw tokens.unexpected();
                            });
            default -> throw tokens.unexpected();
        };
    }

    private static Place place(YtToken token) {
        return new Place(token.from(), token.to());
    }

    private List<YtExpression> parentheses() {
        enter();
        tokens.expectSymbol("(");
        if (tokens.peek().isKeyword("select")) {
            throw subquery();
        }
        List<YtExpression> inside = expressions.commaList();
        tokens.expectSymbol(")");
        leave();
        return inside;
    }

    static YtException subquery() {
        return new YtException(
                YtCodes.GENERIC,
                "Subqueries in expressions are not supported in expression builder v1");
    }

    private YtExpression call() {
        enter();
        YtToken name = tokens.take();
        tokens.expectSymbol("(");
        List<YtExpression> arguments = List.of();
        if (!tokens.trySymbol(")")) {
            arguments = expressions.commaList();
            tokens.expectSymbol(")");
        }
        leave();
        return YtExpression.Call.of(tokens.since(name), name.text(), arguments);
    }

    /// A name or `table.name`. Members and an index of a composite value may follow.
    YtExpression.Reference reference() {
        YtToken first = tokens.expectIdentifier();
        String column = first.text();
        Optional<String> table = Optional.empty();
        if (tokens.trySymbol(".")) {
            table = Optional.of(column);
            column = tokens.expectIdentifier().text();
        }
        List<String> path = new ArrayList<>();
        Optional<YtExpression> index = Optional.empty();
        if (table.isPresent()) {
            while (true) {
                if (tokens.trySymbol(".")) {
                    path.add(tokens.expectIdentifier().text());
                } else if (tokens.peek().kind() == Kind.DOUBLE
                        && tokens.peek().text().startsWith(".")) {
                    path.add(tokens.take().text().substring(1));
                } else {
                    break;
                }
            }
        }
        if (tokens.trySymbol("[")) {
            enter();
            index = Optional.of(one(expressions.relational()));
            leave();
            tokens.expectSymbol("]");
        }
        return new YtExpression.Reference(tokens.since(first), table, column, path, index);
    }

    private YtExpression transform() {
        enter();
        YtToken first = tokens.take();
        tokens.expectSymbol("(");
        List<YtExpression> operand = expressions.expression();
        tokens.expectSymbol(",");
        tokens.expectSymbol("(");
        List<List<YtLiteral>> from = literals.tupleList();
        tokens.expectSymbol(")");
        tokens.expectSymbol(",");
        tokens.expectSymbol("(");
        List<List<YtLiteral>> to = literals.tupleList();
        tokens.expectSymbol(")");
        Optional<YtExpression> otherwise =
                tokens.trySymbol(",")
                        ? Optional.of(one(expressions.expression()))
                        : Optional.empty();
        tokens.expectSymbol(")");
        leave();
        int depth =
                Math.max(
                        YtExpression.deepest(operand),
                        otherwise.map(YtExpression::depth).orElse(0));
        return new YtExpression.Transform(
                tokens.since(first), operand, from, to, otherwise, 1 + depth);
    }

    private YtExpression choice() {
        enter();
        YtToken first = tokens.take();
        Optional<YtExpression> operand =
                tokens.peek().isKeyword("when")
                        ? Optional.empty()
                        : Optional.of(one(expressions.expression()));
        int depth = operand.map(YtExpression::depth).orElse(0);
        List<YtExpression.WhenThen> branches = new ArrayList<>();
        tokens.expectKeyword("when");
        do {
            YtExpression condition = one(expressions.expression());
            tokens.expectKeyword("then");
            YtExpression result = one(expressions.expression());
            depth = Math.max(depth, Math.max(condition.depth(), result.depth()));
            branches.add(new YtExpression.WhenThen(condition, result));
        } while (tokens.tryKeyword("when"));
        Optional<YtExpression> otherwise =
                tokens.tryKeyword("else")
                        ? Optional.of(one(expressions.expression()))
                        : Optional.empty();
        depth = Math.max(depth, otherwise.map(YtExpression::depth).orElse(0));
        tokens.expectKeyword("end");
        leave();
        return new YtExpression.Case(tokens.since(first), operand, branches, otherwise, 1 + depth);
    }

    private YtExpression cast() {
        enter();
        YtToken first = tokens.take();
        tokens.expectSymbol("(");
        YtExpression operand = one(expressions.or());
        tokens.expectKeyword("as");
        String type =
                tokens.peek().kind() == Kind.STRING
                        ? YtLiteralParser.bytes(tokens.take()).utf8()
                        : tokens.expectIdentifier().text();
        tokens.expectSymbol(")");
        leave();
        return new YtExpression.Cast(tokens.since(first), operand, type, 1 + operand.depth());
    }

    /// The only item of a tuple.
    static YtExpression one(List<YtExpression> tuple) {
        if (tuple.size() != 1) {
            throw YtError.of(YtCodes.GENERIC, "Expecting scalar expression")
                    .with("source", YtExpressionText.tuple(tuple))
                    .exception();
        }
        return tuple.getFirst();
    }
}
