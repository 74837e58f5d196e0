package io.cleave.function.yt;

import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.yt.error.YtError;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Types the operators of a query and makes their nodes. The result of an operator on literals is a
/// literal.
///
/// One object serves one query; it has no state.
public final class YtOperators {
    /// The result of a comparison with NULL.
    public enum NullRelations {
        /// NULL is the least value, and equals NULL.
        LEAST,
        /// A comparison with NULL is NULL, as in SQL.
        CANONICAL
    }

    private final NullRelations nulls;

    public YtOperators(NullRelations nulls) {
        this.nulls = nulls;
    }

    /// The operator with its operand; `source` is the operand's text, for messages.
    public UntypedExpression unary(
            YtUnaryOperator operator, UntypedExpression operand, String source) {
        Set<YtType> types = EnumSet.copyOf(operator.types());
        if (!Signature.unify(types, operand.types())) {
            throw mismatch(operator.title(), types, operand.types())
                    .with("op_source", source)
                    .exception();
        }
        if (operand.literal().isPresent()) {
            YtLiteral folded = YtFolding.unary(operator, operand.literal().get());
            if (folded != null) {
                return UntypedExpression.folded(types, folded);
            }
        }
        return UntypedExpression.of(types, type -> YtArithmetic.unary(operator, operand.as(type)));
    }

    /// The operator with its operands. The texts of the operands are for messages.
    public UntypedExpression binary(
            YtBinaryOperator operator,
            UntypedExpression left,
            UntypedExpression right,
            String leftSource,
            String rightSource) {
        Set<YtType> common = EnumSet.copyOf(left.types());
        boolean disjoint = !Signature.unify(common, right.types());
        if (operator.isRelation() && disjoint) {
            return withAny(operator, left, right, leftSource, rightSource);
        }
        Set<YtType> types = EnumSet.copyOf(operator.types());
        for (UntypedExpression operand : List.of(left, right)) {
            if (!Signature.unify(types, operand.types())) {
                throw mismatch(operator.title(), types, operand.types())
                        .with("lhs_source", leftSource)
                        .with("rhs_source", rightSource)
                        .exception();
            }
        }
        if (left.literal().isPresent() && right.literal().isPresent()) {
            YtLiteral folded =
                    YtFolding.binary(operator, left.literal().get(), right.literal().get());
            if (folded != null) {
                return UntypedExpression.folded(
                        operator.isRelation() ? EnumSet.of(YtType.BOOLEAN) : types, folded);
            }
        }
        Comparison comparison = operator.comparison();
        if (comparison != null) {
            YtType operands = types.iterator().next();
            return UntypedExpression.of(
                    EnumSet.of(YtType.BOOLEAN),
                    _ -> compared(comparison, left.as(operands), right.as(operands)));
        }
        if (operator.isLogic()) {
            return UntypedExpression.of(
                    types, type -> logic(operator, List.of(left.as(type), right.as(type))));
        }
        return UntypedExpression.of(
                types, type -> YtArithmetic.binary(operator, left.as(type), right.as(type)));
    }

    /// A comparison of operands that have no type in common. One of them must be `any`.
    private UntypedExpression withAny(
            YtBinaryOperator operator,
            UntypedExpression left,
            UntypedExpression right,
            String leftSource,
            String rightSource) {
        boolean leftAny = left.types().contains(YtType.ANY);
        boolean rightAny = right.types().contains(YtType.ANY);
        Comparison comparison = operator.comparison();
        if (comparison == null || (!leftAny && !rightAny)) {
            throw YtQueryErrors.error("Type mismatch in expression")
                    .with("lhs_source", leftSource)
                    .with("rhs_source", rightSource)
                    .exception();
        }
        Typed l = leftAny ? left.as(YtType.ANY) : left.typed();
        Typed r = rightAny ? right.as(YtType.ANY) : right.typed();
        return UntypedExpression.of(EnumSet.of(YtType.BOOLEAN), _ -> compared(comparison, l, r));
    }

    Typed compared(Comparison comparison, Typed left, Typed right) {
        return nulls == NullRelations.CANONICAL
                ? YtComparison.canonical(comparison, left, right)
                : YtComparison.of(comparison, left, right);
    }

    /// A comparison of tuples, item by item from the left.
    public UntypedExpression relation(
            YtBinaryOperator operator,
            List<UntypedExpression> left,
            List<UntypedExpression> right,
            String source) {
        if (left.size() != right.size()) {
            throw YtQueryErrors.error(
                            "Tuples of same size are expected but got %d vs %d"
                                    .formatted(left.size(), right.size()))
                    .with("source", source)
                    .exception();
        }
        int last = left.size() - 1;
        UntypedExpression result =
                binary(operator, left.get(last), right.get(last), source, source);
        for (int index = last - 1; index >= 0; index--) {
            UntypedExpression l = left.get(index);
            UntypedExpression r = right.get(index);
            boolean differs = operator == YtBinaryOperator.NOT_EQUAL;
            UntypedExpression same =
                    binary(
                            differs ? YtBinaryOperator.OR : YtBinaryOperator.AND,
                            binary(
                                    differs ? YtBinaryOperator.NOT_EQUAL : YtBinaryOperator.EQUAL,
                                    l,
                                    r,
                                    source,
                                    source),
                            result,
                            source,
                            source);
            boolean equality = differs || operator == YtBinaryOperator.EQUAL;
            result =
                    equality
                            ? same
                            : binary(
                                    YtBinaryOperator.OR,
                                    binary(strict(operator), l, r, source, source),
                                    same,
                                    source,
                                    source);
        }
        return result;
    }

    private static YtBinaryOperator strict(YtBinaryOperator operator) {
        return switch (operator) {
            case LESS_OR_EQUAL -> YtBinaryOperator.LESS;
            case GREATER_OR_EQUAL -> YtBinaryOperator.GREATER;
            default -> operator;
        };
    }

    /// Combines terms of the same operator into one node.
    private static Typed logic(YtBinaryOperator operator, List<Typed> operands) {
        var terms = new ArrayList<Typed>();
        boolean and = operator == YtBinaryOperator.AND;
        for (Typed operand : operands) {
            switch (operand) {
                case Typed.And(_, List<Typed> inner) when and -> terms.addAll(inner);
                case Typed.Or(_, List<Typed> inner) when !and -> terms.addAll(inner);
                default -> terms.add(operand);
            }
        }
        boolean optional = terms.stream().anyMatch(term -> term.type().isOptional());
        Type type = optional ? new Type.Optional(Primitive.BOOL) : Primitive.BOOL;
        return and ? new Typed.And(type, terms) : new Typed.Or(type, terms);
    }

    private static YtError mismatch(String operator, Set<YtType> expected, Set<YtType> actual) {
        return YtQueryErrors.error(
                "Type mismatch in expression \"%s\": expected \"%s\", got \"%s\""
                        .formatted(operator, YtType.text(expected), YtType.text(actual)));
    }
}
