package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression.Binary;
import io.cleave.yql.Expression.BinaryOperator;
import io.cleave.yql.Expression.Unary;
import io.cleave.yql.Expression.UnaryOperator;

import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Builds expressions with operators. [OperandBuilder] builds their operands.
///
/// A chain such as `a + b + c` is flat in the grammar but nested in the tree, and later phases walk
/// the tree recursively. This class counts the levels while it descends, and refuses a text whose
/// tree would be deeper than [#MAX_DEPTH].
final class ExpressionBuilder {
    static final int MAX_DEPTH = 1200;

    private final OperandBuilder operands = new OperandBuilder(this);
    private int depth;

    OperandBuilder operands() {
        return operands;
    }

    Expression expression(Yql.ExpressionContext context) {
        return balanced(context, BinaryOperator.OR, c -> conjunction((Yql.ConjunctionContext) c));
    }

    List<Expression> expressions(List<Yql.ExpressionContext> contexts) {
        List<Expression> result = new ArrayList<>(contexts.size());
        contexts.forEach(c -> result.add(expression(c)));
        return result;
    }

    private Expression conjunction(Yql.ConjunctionContext context) {
        return balanced(context, BinaryOperator.AND, c -> exclusive((Yql.ExclusiveContext) c));
    }

    private Expression exclusive(Yql.ExclusiveContext context) {
        return slope(context, c -> predicate((Yql.PredicateContext) c));
    }

    private Expression predicate(Yql.PredicateContext context) {
        if (context.getChildCount() == 1) {
            return comparison(context.comparison());
        }
        List<Yql.TestContext> tests = context.test();
        enter(tests.size(), context);
        Expression result = comparison(context.comparison());
        for (Yql.TestContext test : tests) {
            result = test(result, test);
        }
        leave(tests.size());
        return result;
    }

    private Expression test(Expression left, Yql.TestContext test) {
        Position at = Places.at(test);
        return switch (test) {
            case Yql.EqualTestContext c ->
                    new Binary(at, operator(c.start), left, comparison(c.comparison()));
            case Yql.MatchTestContext c ->
                    new Expression.Match(
                            at,
                            matchKind(c),
                            left,
                            comparison(c.comparison(0)),
                            c.ESCAPE() == null
                                    ? Optional.empty()
                                    : Optional.of(comparison(c.comparison(1))),
                            c.NOT() != null);
            case Yql.InTestContext c ->
                    new Expression.In(at, left, operands.collection(c.postfix()), c.NOT() != null);
            case Yql.BetweenTestContext c ->
                    new Expression.Between(
                            at,
                            left,
                            comparison(c.comparison(0)),
                            comparison(c.comparison(1)),
                            c.NOT() != null,
                            c.SYMMETRIC() != null);
            case Yql.NullTestContext c ->
                    new Expression.IsNull(at, left, c.NOT() != null || c.NOTNULL() != null);
            case Yql.DistinctTestContext c ->
                    new Expression.IsDistinctFrom(
                            at, left, comparison(c.comparison()), c.NOT() != null);
            default -> throw new IllegalStateException("not a test: " + test.getClass());
        };
    }

    private static Expression.MatchKind matchKind(Yql.MatchTestContext test) {
        if (test.LIKE() != null) {
            return Expression.MatchKind.LIKE;
        } else if (test.ILIKE() != null) {
            return Expression.MatchKind.ILIKE;
        } else if (test.MATCH() != null) {
            return Expression.MatchKind.MATCH;
        } else if (test.GLOB() != null) {
            return Expression.MatchKind.GLOB;
        }
        return Expression.MatchKind.REGEXP;
    }

    private Expression comparison(Yql.ComparisonContext context) {
        return slope(context, c -> coalesced((Yql.CoalescedContext) c));
    }

    /// Right-associative: `a ?? b ?? c` is `a ?? (b ?? c)`.
    Expression coalesced(Yql.CoalescedContext context) {
        List<Yql.BitwiseContext> items = context.bitwise();
        if (items.size() == 1) {
            return bitwise(items.getFirst());
        }
        enter(items.size(), context);
        Expression result = bitwise(items.getLast());
        for (int index = items.size() - 2; index >= 0; index--) {
            Position at = Places.at(context.COALESCE(index).getSymbol());
            result = new Binary(at, BinaryOperator.COALESCE, bitwise(items.get(index)), result);
        }
        leave(items.size());
        return result;
    }

    private Expression bitwise(Yql.BitwiseContext context) {
        return slope(context, c -> additive((Yql.AdditiveContext) c));
    }

    private Expression additive(Yql.AdditiveContext context) {
        return slope(context, c -> multiplicative((Yql.MultiplicativeContext) c));
    }

    private Expression multiplicative(Yql.MultiplicativeContext context) {
        return slope(context, c -> concatenation((Yql.ConcatenationContext) c));
    }

    private Expression concatenation(Yql.ConcatenationContext context) {
        return slope(context, c -> unary((Yql.UnaryContext) c));
    }

    private Expression unary(Yql.UnaryContext context) {
        int signs = context.getChildCount() - 1;
        if (signs == 0) {
            return operands.postfix(context.postfix());
        }
        enter(signs, context);
        Token last = symbol(context.getChild(signs - 1));
        Expression result = null;
        int left = signs;
        if (last.getType() == Yql.MINUS) {
            result = operands.negativeNumber(Places.at(last), context.postfix()).orElse(null);
            left = result == null ? signs : signs - 1;
        }
        if (result == null) {
            result = operands.postfix(context.postfix());
        }
        for (int index = left - 1; index >= 0; index--) {
            Token sign = symbol(context.getChild(index));
            UnaryOperator operator =
                    switch (sign.getType()) {
                        case Yql.PLUS -> UnaryOperator.PLUS;
                        case Yql.MINUS -> UnaryOperator.MINUS;
                        case Yql.NOT -> UnaryOperator.NOT;
                        default -> UnaryOperator.BITWISE_NOT;
                    };
            result = new Unary(Places.at(sign), operator, result);
        }
        leave(signs);
        return result;
    }

    /// Builds a left-associative chain of alternating operands and operators.
    private Expression slope(ParserRuleContext context, Function<ParseTree, Expression> operand) {
        int children = context.getChildCount();
        if (children == 1) {
            return operand.apply(context.getChild(0));
        }
        enter(children / 2, context);
        Expression result = operand.apply(context.getChild(0));
        for (int index = 1; index < children; index += 2) {
            Token token = symbol(context.getChild(index));
            Expression right = operand.apply(context.getChild(index + 1));
            result = new Binary(Places.at(token), operator(token), result, right);
        }
        leave(children / 2);
        return result;
    }

    /// Like [#slope], for an associative operator: the tree is balanced, so that thousands of `OR`
    /// do not make it deep. Operands keep their order.
    private Expression balanced(
            ParserRuleContext context,
            BinaryOperator operator,
            Function<ParseTree, Expression> operand) {
        int children = context.getChildCount();
        if (children == 1) {
            return operand.apply(context.getChild(0));
        }
        int levels = Integer.SIZE - Integer.numberOfLeadingZeros(children);
        enter(levels, context);
        Expression result = balanced(context, operator, operand, 0, children / 2 + 1);
        leave(levels);
        return result;
    }

    private Expression balanced(
            ParserRuleContext context,
            BinaryOperator operator,
            Function<ParseTree, Expression> operand,
            int from,
            int to) {
        if (to - from == 1) {
            return operand.apply(context.getChild(2 * from));
        }
        // A short chain splits before its last operand, so `a AND b AND c` is grouped as usual.
        int middle = to - from <= 4 ? to - 1 : (from + to) >>> 1;
        Position at = Places.at(symbol(context.getChild(2 * middle - 1)));
        Expression left = balanced(context, operator, operand, from, middle);
        return new Binary(at, operator, left, balanced(context, operator, operand, middle, to));
    }

    private static Token symbol(ParseTree node) {
        return ((TerminalNode) node).getSymbol();
    }

    private static BinaryOperator operator(Token token) {
        return switch (token.getType()) {
            case Yql.XOR -> BinaryOperator.XOR;
            case Yql.EQUAL, Yql.EQUAL_EQUAL -> BinaryOperator.EQUAL;
            case Yql.NOT_EQUAL -> BinaryOperator.NOT_EQUAL;
            case Yql.LESS -> BinaryOperator.LESS;
            case Yql.LESS_OR_EQUAL -> BinaryOperator.LESS_OR_EQUAL;
            case Yql.GREATER -> BinaryOperator.GREATER;
            case Yql.GREATER_OR_EQUAL -> BinaryOperator.GREATER_OR_EQUAL;
            case Yql.AMPERSAND -> BinaryOperator.BITWISE_AND;
            case Yql.PIPE -> BinaryOperator.BITWISE_OR;
            case Yql.CARET -> BinaryOperator.BITWISE_XOR;
            case Yql.SHIFT_LEFT -> BinaryOperator.SHIFT_LEFT;
            case Yql.SHIFT_RIGHT -> BinaryOperator.SHIFT_RIGHT;
            case Yql.ROTATE_LEFT -> BinaryOperator.ROTATE_LEFT;
            case Yql.ROTATE_RIGHT -> BinaryOperator.ROTATE_RIGHT;
            case Yql.PLUS -> BinaryOperator.ADD;
            case Yql.MINUS -> BinaryOperator.SUBTRACT;
            case Yql.STAR -> BinaryOperator.MULTIPLY;
            case Yql.SLASH -> BinaryOperator.DIVIDE;
            case Yql.PERCENT -> BinaryOperator.MODULO;
            case Yql.CONCAT -> BinaryOperator.CONCAT;
            default -> throw new IllegalStateException("not an operator: " + token);
        };
    }

    /// Adds levels above everything that is built until [#leave].
    void enter(int links, ParserRuleContext context) {
        depth += links;
        if (depth > MAX_DEPTH) {
            throw Places.error(
                    Places.at(context),
                    "The expression is nested too deeply (at most %d operators on top of each other): give a part of it a name, $part = …"
                            .formatted(MAX_DEPTH));
        }
    }

    void leave(int links) {
        depth -= links;
    }
}
