package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtBinaryOperator;
import io.cleave.function.yt.YtConditions;
import io.cleave.function.yt.YtFunctions;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtOperators;
import io.cleave.function.yt.YtTuples;
import io.cleave.function.yt.YtType;
import io.cleave.function.yt.YtUnaryOperator;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Types expressions of one query: names become columns, operators and functions become nodes of
/// the typed tree.
///
/// Threads: one.
public final class YtExpressionTyping {
    static final int MAX_DEPTH = 50;

    private final YtOperators operators;
    private final Map<String, YtExpression> aliases;
    private final YtSentValues sent;

    /// Aliases whose expressions are being typed. Within its own expression, the name of an alias
    /// means a column.
    private final Set<String> openAliases = new HashSet<>();

    private int depth;

    /// Values that are sent with the query are added to `sent`.
    YtExpressionTyping(
            YtOperators operators, Map<String, YtExpression> aliases, YtSentValues sent) {
        this.operators = operators;
        this.aliases = aliases;
        this.sent = sent;
    }

    /// Types a single expression over columns, such as the expression of a computed column. Input
    /// `i` of the result is field `i`. The result has a type of the query language: Int64, Uint64,
    /// Double, Bool, String or Yson, or one of these as Optional.
    public static Typed of(String text, List<Field> columns) {
        return new YtExpressionTyping(
                        new YtOperators(YtOperators.NullRelations.LEAST),
                        Map.of(),
                        new YtSentValues())
                .untyped(YtParser.expression(text), new FieldScope(columns))
                .typed();
    }

    /// The columns of a row, without a table's name.
    private record FieldScope(List<Field> fields) implements YtScope {
        @Override
        public Optional<UntypedExpression> column(YtExpression.Reference reference) {
            if (reference.table().isPresent()) {
                return Optional.empty();
            }
            for (int index = 0; index < fields.size(); index++) {
                Field field = fields.get(index);
                if (field.name().equals(reference.column())) {
                    return Optional.of(UntypedExpression.of(new Typed.Input(field.type(), index)));
                }
            }
            return Optional.empty();
        }

        @Override
        public boolean columnsFirst() {
            return false;
        }

        @Override
        public UntypedExpression aggregate(YtExpression.Call call, Arguments arguments) {
            throw misuse(call);
        }
    }

    static void checkDepth(List<YtExpression> expressions) {
        if (YtExpression.deepest(expressions) > MAX_DEPTH) {
            throw tooDeep();
        }
    }

    static YtException tooDeep() {
        return new YtException(
                YtCodes.EXPRESSION_DEPTH_LIMIT_EXCEEDED, "Maximum expression depth exceeded");
    }

    static YtException misuse(YtExpression.Call call) {
        return new YtException(
                YtCodes.GENERIC,
                "Misuse of aggregate function \"%s\""
                        .formatted(call.function().toLowerCase(Locale.ROOT)));
    }

    static YtError error(String message) {
        return YtError.of(YtCodes.GENERIC, message);
    }

    /// The condition of a WHERE, a HAVING or a join.
    Typed predicate(List<YtExpression> expressions, String clause, YtScope scope) {
        checkDepth(expressions);
        if (expressions.size() != 1) {
            throw error("Expecting scalar expression")
                    .with("source", YtExpressionText.tuple(expressions))
                    .exception();
        }
        YtExpression expression = expressions.getFirst();
        return untyped(expression, scope)
                .asBoolean()
                .orElseThrow(
                        () ->
                                error("%s is not a boolean expression".formatted(clause))
                                        .with("source", YtExpressionText.of(expression))
                                        .exception());
    }

    Typed typed(YtExpression expression, YtScope scope) {
        UntypedExpression untyped = untyped(expression, scope);
        if (untyped.preferred() == YtType.NULL) {
            throw error("Type inference failed")
                    .with("actual_type", "null")
                    .with("source", YtExpressionText.of(expression))
                    .exception();
        }
        return untyped.typed();
    }

    UntypedExpression untyped(YtExpression expression, YtScope scope) {
        if (++depth > MAX_DEPTH) {
            throw tooDeep();
        }
        try {
            return switch (expression) {
                case YtExpression.Literal(_, YtLiteral value) -> UntypedExpression.of(value);
                case YtExpression.Sent _ -> throw YtSentValues.needed();
                case YtExpression.Reference reference -> reference(reference, scope);
                case YtExpression.Alias alias ->
                        reference(YtExpression.Reference.of(alias.at(), alias.name()), scope);
                case YtExpression.Call call -> call(call, scope);
                case YtExpression.Unary unary -> unary(unary, scope);
                case YtExpression.Binary binary -> binary(binary, scope);
                case YtExpression.InSent in ->
                        sent.in(operands(in.operand(), "IN", scope), in.name(), in.type());
                case YtExpression.In in ->
                        YtMembership.in(operands(in.operand(), "IN", scope), in.tuples(), text(in));
                case YtExpression.Between between ->
                        YtMembership.between(
                                operands(between.operand(), "BETWEEN", scope),
                                between.ranges(),
                                text(between));
                case YtExpression.Transform transform -> transform(transform, scope);
                case YtExpression.Case choice -> choice(choice, scope);
                case YtExpression.Like like -> like(like, scope);
                case YtExpression.Cast cast -> cast(cast, scope);
                case YtExpression.Subquery _ ->
                        throw error(
                                        "Subqueries in expressions are not supported in expression"
                                                + " builder v1")
                                .exception();
            };
        } finally {
            depth--;
        }
    }

    /// The text of an expression for messages. It is also made when no message needs it, because
    /// texts are short.
    private static String text(YtExpression expression) {
        return YtExpressionText.of(expression);
    }

    private UntypedExpression reference(YtExpression.Reference reference, YtScope scope) {
        if (scope.columnsFirst()) {
            Optional<UntypedExpression> column = scope.column(reference);
            if (column.isPresent()) {
                return column.get();
            }
        }
        if (reference.table().isEmpty()) {
            YtExpression alias = aliases.get(reference.column());
            if (alias != null && openAliases.add(reference.column())) {
                UntypedExpression found = untyped(alias, scope);
                openAliases.remove(reference.column());
                return found;
            }
        }
        if (!scope.columnsFirst()) {
            Optional<UntypedExpression> column = scope.column(reference);
            if (column.isPresent()) {
                return column.get();
            }
        }
        throw error("Undefined reference \"%s\"".formatted(YtExpressionText.columnName(reference)))
                .exception();
    }

    private UntypedExpression call(YtExpression.Call call, YtScope scope) {
        if (YtFunctions.isAggregate(call.function())) {
            return scope.aggregate(
                    call,
                    rows ->
                            YtFunctions.aggregate(
                                    call.function(), all(call.arguments(), rows), text(call)));
        }
        return YtFunctions.call(call.function(), all(call.arguments(), scope), text(call));
    }

    private List<UntypedExpression> all(List<YtExpression> expressions, YtScope scope) {
        List<UntypedExpression> all = new ArrayList<>(expressions.size());
        for (YtExpression expression : expressions) {
            all.add(untyped(expression, scope));
        }
        return all;
    }

    private UntypedExpression unary(YtExpression.Unary unary, YtScope scope) {
        if (unary.operand().size() != 1) {
            throw error(
                            "Unary operator \"%s\" must have exactly one argument"
                                    .formatted(unary.operator().label()))
                    .exception();
        }
        YtExpression operand = unary.operand().getFirst();
        return operators.unary(
                switch (unary.operator()) {
                    case NOT -> YtUnaryOperator.NOT;
                    case MINUS -> YtUnaryOperator.MINUS;
                    case BIT_NOT -> YtUnaryOperator.BIT_NOT;
                    default -> YtUnaryOperator.PLUS;
                },
                untyped(operand, scope),
                text(operand));
    }

    private UntypedExpression binary(YtExpression.Binary binary, YtScope scope) {
        YtBinaryOperator operator = binaryOperator(binary.operator());
        if (binary.operator().isComparison()) {
            return operators.relation(
                    operator,
                    compared(binary.left(), scope),
                    compared(binary.right(), scope),
                    text(binary));
        }
        for (List<YtExpression> side : List.of(binary.left(), binary.right())) {
            if (side.size() != 1) {
                throw error("Expecting scalar expression")
                        .with("source", YtExpressionText.tuple(side))
                        .exception();
            }
        }
        YtExpression left = binary.left().getFirst();
        YtExpression right = binary.right().getFirst();
        return operators.binary(
                operator, untyped(left, scope), untyped(right, scope), text(left), text(right));
    }

    /// The operands of a comparison, some of which may be values that are sent with the query.
    private List<UntypedExpression> compared(List<YtExpression> tuple, YtScope scope) {
        List<UntypedExpression> all = new ArrayList<>(tuple.size());
        for (YtExpression part : tuple) {
            all.add(
                    part instanceof YtExpression.Sent value
                            ? sent.untyped(value)
                            : untyped(part, scope));
        }
        return all;
    }

    private static YtBinaryOperator binaryOperator(YtOperator operator) {
        return switch (operator) {
            case OR -> YtBinaryOperator.OR;
            case AND -> YtBinaryOperator.AND;
            case EQUAL -> YtBinaryOperator.EQUAL;
            case NOT_EQUAL -> YtBinaryOperator.NOT_EQUAL;
            case LESS -> YtBinaryOperator.LESS;
            case LESS_OR_EQUAL -> YtBinaryOperator.LESS_OR_EQUAL;
            case GREATER -> YtBinaryOperator.GREATER;
            case GREATER_OR_EQUAL -> YtBinaryOperator.GREATER_OR_EQUAL;
            case BIT_OR -> YtBinaryOperator.BIT_OR;
            case BIT_AND -> YtBinaryOperator.BIT_AND;
            case SHIFT_LEFT -> YtBinaryOperator.LEFT_SHIFT;
            case SHIFT_RIGHT -> YtBinaryOperator.RIGHT_SHIFT;
            case PLUS -> YtBinaryOperator.PLUS;
            case MINUS -> YtBinaryOperator.MINUS;
            case CONCATENATE -> YtBinaryOperator.CONCATENATE;
            case MULTIPLY -> YtBinaryOperator.MULTIPLY;
            case DIVIDE -> YtBinaryOperator.DIVIDE;
            case MODULO -> YtBinaryOperator.MODULO;
            case NOT, BIT_NOT ->
                    throw new IllegalArgumentException("not a binary operator: " + operator);
        };
    }

    /// The operands of IN, BETWEEN or TRANSFORM, with the types that they have by themselves.
    private List<Typed> operands(List<YtExpression> tuple, String operator, YtScope scope) {
        List<Typed> operands = new ArrayList<>();
        Set<Integer> columns = new HashSet<>();
        for (YtExpression part : tuple) {
            Typed operand = typed(part, scope);
            if (operand instanceof Typed.Input(_, int index) && !columns.add(index)) {
                throw error(
                                "%s operator has multiple references to column \"%s\""
                                        .formatted(operator, YtExpressionText.columnName(part)))
                        .exception();
            }
            operands.add(operand);
        }
        return operands;
    }

    private UntypedExpression transform(YtExpression.Transform transform, YtScope scope) {
        var _ = operands(transform.operand(), "TRANSFORM", scope);
        List<YtLiteral> results = new ArrayList<>();
        for (List<YtLiteral> result : transform.to()) {
            if (result.size() != 1) {
                throw error("Expecting scalar expression")
                        .with("source", text(transform))
                        .exception();
            }
            results.add(result.getFirst());
        }
        return YtTuples.transform(
                all(transform.operand(), scope),
                transform.from(),
                results,
                transform.otherwise().map(expression -> untyped(expression, scope)).orElse(null),
                text(transform));
    }

    private UntypedExpression choice(YtExpression.Case choice, YtScope scope) {
        List<YtConditions.When> branches = new ArrayList<>();
        for (YtExpression.WhenThen branch : choice.branches()) {
            branches.add(
                    new YtConditions.When(
                            untyped(branch.condition(), scope), untyped(branch.result(), scope)));
        }
        return YtConditions.choice(
                operators,
                choice.operand().map(expression -> untyped(expression, scope)).orElse(null),
                branches,
                choice.otherwise().map(expression -> untyped(expression, scope)).orElse(null),
                text(choice));
    }

    private UntypedExpression like(YtExpression.Like like, YtScope scope) {
        return YtConditions.match(
                switch (like.match()) {
                    case LIKE -> YtConditions.MatchKind.LIKE;
                    case ILIKE -> YtConditions.MatchKind.ILIKE;
                    case REGEXP -> YtConditions.MatchKind.REGEXP;
                },
                untyped(like.text(), scope),
                untyped(like.pattern(), scope),
                like.escape().map(expression -> untyped(expression, scope)).orElse(null),
                text(like));
    }

    private UntypedExpression cast(YtExpression.Cast cast, YtScope scope) {
        YtType type =
                switch (cast.type().toLowerCase(Locale.ROOT)) {
                    case "int64" -> YtType.INT64;
                    case "uint64" -> YtType.UINT64;
                    case "double" -> YtType.DOUBLE;
                    case "boolean" -> YtType.BOOLEAN;
                    case "string" -> YtType.STRING;
                    case "any" -> YtType.ANY;
                    default ->
                            throw error("Cannot cast to type \"%s\"".formatted(cast.type()))
                                    .with("source", text(cast))
                                    .exception();
                };
        return YtConditions.cast(untyped(cast.operand(), scope), type);
    }
}
