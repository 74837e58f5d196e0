package io.cleave.ytql;

import io.cleave.function.yt.YtLiteral;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.ytql.YtExpression.Place;
import io.cleave.ytql.YtToken.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Parses expressions. From loosest to tightest: OR; AND; NOT; IS NULL; = !=; < <= > >=, IN,
/// BETWEEN, LIKE; |; &; << >>; + - ||; * / %; unary. Operands are parsed by [YtOperandParser].
///
/// Every method returns a tuple, which usually has one item. Binary operators of one level are read
/// in a loop. So only parentheses and arguments cause recursion, and their nesting is limited.
final class YtExpressionParser {
    private static final int COMPARISON_LEVEL = 6;
    private static final int LEVEL_OF_OPERANDS = 10;
    private static final int TIGHTEST_BINARY = 11;

    private final YtTokens tokens;
    private final Map<String, YtExpression> aliases;
    private final YtLiteralParser literals;
    private final YtOperandParser operands;

    YtExpressionParser(YtTokens tokens, Map<String, YtExpression> aliases) {
        this.tokens = tokens;
        this.literals = new YtLiteralParser(tokens);
        this.operands = new YtOperandParser(tokens, this);
        this.aliases = aliases;
    }

    /// Expressions separated by commas. Each may have an alias.
    List<YtExpression> commaList() {
        List<YtExpression> all = new ArrayList<>();
        do {
            all.addAll(expression());
        } while (tokens.trySymbol(","));
        return all;
    }

    /// An expression that may have an alias. The alias is known in the whole query.
    List<YtExpression> expression() {
        YtToken first = tokens.peek();
        List<YtExpression> value = or();
        if (!tokens.tryKeyword("as")) {
            return value;
        }
        String name = tokens.expectIdentifier().text();
        Place place = tokens.since(first);
        YtExpression one = scalar(value, place);
        if (aliases.putIfAbsent(name, one) != null) {
            throw new YtException(
                    YtCodes.GENERIC, "Alias \"%s\" has been already used".formatted(name));
        }
        return List.of(YtExpression.Alias.of(place, one, name));
    }

    /// An expression with an alias that only the caller knows.
    YtExpression.Alias unlistedAlias() {
        YtToken first = tokens.peek();
        List<YtExpression> value = or();
        tokens.expectKeyword("as");
        String name = tokens.expectIdentifier().text();
        Place place = tokens.since(first);
        return YtExpression.Alias.of(place, scalar(value, place), name);
    }

    private YtExpression scalar(List<YtExpression> value, Place place) {
        if (value.size() != 1) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Aliased expression \"%s\" must be scalar".formatted(tokens.source(place)));
        }
        return value.getFirst();
    }

    /// A column, as in USING.
    YtExpression.Reference column() {
        return operands.reference();
    }

    List<YtExpression> or() {
        YtToken first = tokens.peek();
        List<YtExpression> left = and();
        while (tokens.tryKeyword("or")) {
            List<YtExpression> right = and();
            left = binary(first, YtOperator.OR, left, right);
        }
        return left;
    }

    List<YtExpression> and() {
        YtToken first = tokens.peek();
        List<YtExpression> left = not();
        while (tokens.tryKeyword("and")) {
            List<YtExpression> right = not();
            left = binary(first, YtOperator.AND, left, right);
        }
        return left;
    }

    private List<YtExpression> not() {
        YtToken first = tokens.peek();
        if (tokens.tryKeyword("not")) {
            return unary(first, YtOperator.NOT, isNull());
        }
        return isNull();
    }

    private List<YtExpression> isNull() {
        YtToken first = tokens.peek();
        List<YtExpression> operand = equal();
        if (!tokens.tryKeyword("is")) {
            return operand;
        }
        boolean negated = tokens.tryKeyword("not");
        tokens.expectKeyword("null");
        List<YtExpression> call =
                List.of(YtExpression.Call.of(tokens.since(first), "is_null", operand));
        return negated ? unary(first, YtOperator.NOT, call) : call;
    }

    private List<YtExpression> equal() {
        YtToken first = tokens.peek();
        List<YtExpression> left = relational();
        while (true) {
            if (tokens.trySymbol("=")) {
                left = binary(first, YtOperator.EQUAL, left, relational());
            } else if (tokens.trySymbol("!=") || tokens.trySymbol("<>")) {
                left = binary(first, YtOperator.NOT_EQUAL, left, relational());
            } else {
                return left;
            }
        }
    }

    List<YtExpression> relational() {
        YtToken first = tokens.peek();
        List<YtExpression> left = binaryLevels(COMPARISON_LEVEL + 1);
        Optional<List<YtExpression>> predicate = predicate(first, left);
        if (predicate.isPresent()) {
            left = predicate.get();
        }
        while (true) {
            YtOperator operator = operator(COMPARISON_LEVEL);
            if (operator == null) {
                return left;
            }
            var _ = tokens.take();
            left = binary(first, operator, left, binaryLevels(COMPARISON_LEVEL + 1));
        }
    }

    /// IN, BETWEEN or LIKE after an operand.
    private Optional<List<YtExpression>> predicate(YtToken first, List<YtExpression> operand) {
        boolean negated = tokens.peek().isKeyword("not");
        YtToken word = negated ? tokens.peekSecond() : tokens.peek();
        if (word.kind() != Kind.KEYWORD) {
            return Optional.empty();
        }
        YtExpression found;
        switch (word.text()) {
            case "in" -> {
                skip(negated);
                found = in(first, operand);
            }
            case "between" -> {
                if (negated) {
                    return Optional.empty();
                }
                skip(false);
                return Optional.of(between(first, operand));
            }
            case "like", "ilike", "rlike", "regexp" -> {
                skip(negated);
                found = like(first, word, operand);
            }
            default -> {
                return Optional.empty();
            }
        }
        List<YtExpression> one = List.of(found);
        return Optional.of(negated ? unary(first, YtOperator.NOT, one) : one);
    }

    private void skip(boolean negated) {
        var _ = tokens.take();
        if (negated) {
            var _ = tokens.take();
        }
    }

    private YtExpression in(YtToken first, List<YtExpression> operand) {
        Optional<YtExpression> sent = tokens.trySentList(first, operand);
        if (sent.isPresent()) {
            return sent.get();
        }
        tokens.expectSymbol("(");
        if (tokens.peek().isKeyword("select")) {
            throw YtOperandParser.subquery();
        }
        List<List<YtLiteral>> tuples = literals.tupleList();
        tokens.expectSymbol(")");
        return new YtExpression.In(
                tokens.since(first), operand, tuples, 1 + YtExpression.deepest(operand));
    }

    private List<YtExpression> between(YtToken first, List<YtExpression> operand) {
        if (isRangeList()) {
            tokens.expectSymbol("(");
            List<YtExpression.Range> ranges = new ArrayList<>();
            do {
                List<YtLiteral> lower = literals.tuple();
                tokens.expectKeyword("and");
                ranges.add(new YtExpression.Range(lower, literals.tuple()));
            } while (tokens.trySymbol(","));
            tokens.expectSymbol(")");
            return List.of(
                    new YtExpression.Between(
                            tokens.since(first),
                            operand,
                            ranges,
                            1 + YtExpression.deepest(operand)));
        }
        List<YtExpression> lower = bound();
        tokens.expectKeyword("and");
        List<YtExpression> upper = bound();
        Place place = tokens.since(first);
        return binary(
                first,
                YtOperator.AND,
                List.of(YtExpression.Binary.of(place, YtOperator.GREATER_OR_EQUAL, operand, lower)),
                List.of(YtExpression.Binary.of(place, YtOperator.LESS_OR_EQUAL, operand, upper)));
    }

    /// A bound of BETWEEN.
    private List<YtExpression> bound() {
        Optional<YtExpression.Sent> sent = tokens.trySent();
        if (sent.isPresent()) {
            return List.of(sent.get());
        }
        YtToken first = tokens.peek();
        List<YtLiteral> values = literals.tuple();
        return all(tokens.since(first), values);
    }

    private static List<YtExpression> all(Place place, List<YtLiteral> values) {
        return values.stream()
                .<YtExpression>map(value -> new YtExpression.Literal(place, value))
                .toList();
    }

    /// Whether a list of ranges in parentheses follows, and not a tuple: `(1 AND 2)`, `((1, 2) AND
    /// 3)`.
    private boolean isRangeList() {
        if (!tokens.peek().isSymbol("(")) {
            return false;
        }
        return tokens.isKeywordAfterTuple("and");
    }

    private YtExpression like(YtToken first, YtToken word, List<YtExpression> operand) {
        YtExpression text = YtOperandParser.one(operand);
        YtExpression pattern = YtOperandParser.one(binaryLevels(LEVEL_OF_OPERANDS));
        Optional<YtExpression> escape =
                tokens.tryKeyword("escape")
                        ? Optional.of(YtOperandParser.one(binaryLevels(LEVEL_OF_OPERANDS)))
                        : Optional.empty();
        int depth = Math.max(text.depth(), pattern.depth());
        depth = Math.max(depth, escape.map(YtExpression::depth).orElse(0));
        return new YtExpression.Like(
                tokens.since(first),
                text,
                switch (word.text()) {
                    case "like" -> YtExpression.Match.LIKE;
                    case "ilike" -> YtExpression.Match.ILIKE;
                    default -> YtExpression.Match.REGEXP;
                },
                pattern,
                escape,
                1 + depth);
    }

    List<YtExpression> bitOr() {
        return binaryLevels(COMPARISON_LEVEL + 1);
    }

    /// Parses binary operators of this level and of tighter levels, by precedence climbing.
    private List<YtExpression> binaryLevels(int loosest) {
        YtToken first = tokens.peek();
        List<YtExpression> left = unaryExpression();
        while (true) {
            YtOperator operator = binaryOperator();
            if (operator == null || operator.level() < loosest) {
                return left;
            }
            var _ = tokens.take();
            left = binary(first, operator, left, binaryLevels(operator.level() + 1));
        }
    }

    private @Nullable YtOperator binaryOperator() {
        for (int level = COMPARISON_LEVEL + 1; level <= TIGHTEST_BINARY; level++) {
            YtOperator found = operator(level);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// The operator of this level, if the next token is one.
    private @Nullable YtOperator operator(int level) {
        YtToken token = tokens.peek();
        if (token.kind() != Kind.SYMBOL) {
            return null;
        }
        for (YtOperator operator : OPERATORS) {
            if (operator.level() == level && operator.text().equals(token.text())) {
                return operator;
            }
        }
        return null;
    }

    private static final List<YtOperator> OPERATORS = List.of(YtOperator.values());

    private List<YtExpression> unaryExpression() {
        YtToken first = tokens.peek();
        YtOperator operator = YtLiteralParser.unaryOperator(first);
        if (operator == null) {
            return operands.operand();
        }
        operands.enter();
        var _ = tokens.take();
        List<YtExpression> operand = unaryExpression();
        operands.leave();
        return unary(first, operator, operand);
    }

    private List<YtExpression> unary(
            YtToken first, YtOperator operator, List<YtExpression> operand) {
        return List.of(YtExpression.Unary.of(tokens.since(first), operator, operand));
    }

    private List<YtExpression> binary(
            YtToken first, YtOperator operator, List<YtExpression> left, List<YtExpression> right) {
        return List.of(YtExpression.Binary.of(tokens.since(first), operator, left, right));
    }
}
