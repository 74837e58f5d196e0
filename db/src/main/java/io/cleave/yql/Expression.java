package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An expression as written. Names are not resolved, and only literals have types.
public sealed interface Expression {
    Position at();

    /// A number, a string, `true`, `false` or NULL. The way it is written decides its type. NULL
    /// has the type [Type.Unit#NULL].
    record Literal(Position at, Type type, Value value) implements Expression {}

    /// `x` or `source.x`.
    record ColumnName(Position at, Optional<String> source, String name) implements Expression {}

    /// `$x`: a parameter or a named expression. `name` includes the dollar.
    record NamedValue(Position at, String name) implements Expression {}

    enum UnaryOperator {
        NOT,
        PLUS,
        MINUS,
        BITWISE_NOT
    }

    record Unary(Position at, UnaryOperator operator, Expression operand) implements Expression {}

    enum BinaryOperator {
        OR("OR"),
        XOR("XOR"),
        AND("AND"),
        EQUAL("=="),
        NOT_EQUAL("!="),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        COALESCE("??"),
        ADD("+"),
        SUBTRACT("-"),
        MULTIPLY("*"),
        DIVIDE("/"),
        MODULO("%"),
        CONCAT("||"),
        BITWISE_AND("&"),
        BITWISE_OR("|"),
        BITWISE_XOR("^"),
        SHIFT_LEFT("<<"),
        SHIFT_RIGHT(">>"),
        ROTATE_LEFT("|<<"),
        ROTATE_RIGHT(">>|");

        private final String text;

        BinaryOperator(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    record Binary(Position at, BinaryOperator operator, Expression left, Expression right)
            implements Expression {}

    record Between(
            Position at,
            Expression operand,
            Expression low,
            Expression high,
            boolean negated,
            boolean symmetric)
            implements Expression {}

    /// `operand IN collection`. A list in parentheses is a [TupleOf], and a subquery is a
    /// [SubQuery].
    record In(Position at, Expression operand, Expression collection, boolean negated)
            implements Expression {}

    enum MatchKind {
        LIKE,
        ILIKE,
        REGEXP,
        MATCH,
        GLOB
    }

    record Match(
            Position at,
            MatchKind kind,
            Expression operand,
            Expression pattern,
            Optional<Expression> escape,
            boolean negated)
            implements Expression {}

    record IsNull(Position at, Expression operand, boolean negated) implements Expression {}

    record IsDistinctFrom(Position at, Expression left, Expression right, boolean negated)
            implements Expression {}

    record When(Expression condition, Expression result) {}

    record Case(
            Position at,
            Optional<Expression> subject,
            List<When> whens,
            Optional<Expression> otherwise)
            implements Expression {
        public Case {
            whens = List.copyOf(whens);
        }
    }

    /// `CAST(operand AS type)`, or `BITCAST` if `bits`. The type is a [TypeName], or a [NamedValue]
    /// that stands for a type.
    record Cast(Position at, Expression operand, Expression type, boolean bits)
            implements Expression {}

    /// `name` is present in `f(1 AS x)`.
    record Argument(Optional<String> name, Expression value) {}

    /// `module::name(arguments)` or `name(arguments)`. `star` means `f(*)`, and `distinct` means
    /// `f(DISTINCT x)`. The function name keeps the case in which it was written.
    record Call(
            Position at,
            Optional<String> module,
            String name,
            List<Argument> arguments,
            boolean distinct,
            boolean star,
            Optional<Window> over)
            implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }

        /// `name(arguments)`.
        static Call of(Position at, String name, List<Expression> arguments) {
            return new Call(
                    at,
                    Optional.empty(),
                    name,
                    arguments.stream().map(a -> new Argument(Optional.empty(), a)).toList(),
                    false,
                    false,
                    Optional.empty());
        }

        /// The name by which built-in functions are looked up. Case does not matter, and
        /// underscores only at the beginning do.
        public String plainName() {
            return plain(name);
        }

        public static String plain(String name) {
            int head = 0;
            while (head < name.length() && name.charAt(head) == '_') {
                head++;
            }
            return name.substring(0, head)
                    + name.substring(head).replace("_", "").toLowerCase(Locale.ROOT);
        }

        public Call withName(String other) {
            return new Call(at, module, other, arguments, distinct, star, over);
        }

        public Call withArguments(List<Argument> others) {
            return new Call(at, module, name, others, distinct, star, over);
        }
    }

    /// `OVER w` or `OVER (w PARTITION BY … ORDER BY … ROWS …)`, including a preceding IGNORE NULLS.
    record Window(
            Position at,
            Optional<String> name,
            List<Argument> partition,
            List<Query.Order> order,
            Optional<Frame> frame,
            boolean ignoreNulls) {
        public Window {
            partition = List.copyOf(partition);
            order = List.copyOf(order);
        }
    }

    enum FrameUnit {
        ROWS,
        RANGE,
        GROUPS
    }

    /// The rows that a window function sees, from one bound to the other, both inclusive.
    record Frame(Position at, FrameUnit unit, FrameBound from, FrameBound to) {}

    enum FrameEdge {
        UNBOUNDED_PRECEDING,
        PRECEDING,
        CURRENT_ROW,
        FOLLOWING,
        UNBOUNDED_FOLLOWING
    }

    /// `offset` is present for PRECEDING and FOLLOWING.
    record FrameBound(FrameEdge edge, Optional<Expression> offset) {}

    /// A type in the place of a value, as in `Nothing(Int32?)`.
    record TypeName(Position at, Type type) implements Expression {}

    record TupleOf(Position at, List<Expression> items) implements Expression {
        public TupleOf {
            items = List.copyOf(items);
        }
    }

    record ListOf(Position at, List<Expression> items) implements Expression {
        public ListOf {
            items = List.copyOf(items);
        }
    }

    record StructMember(String name, Expression value) {}

    record StructOf(Position at, List<StructMember> members) implements Expression {
        public StructOf {
            members = List.copyOf(members);
        }
    }

    record DictItem(Expression key, Expression payload) {}

    record DictOf(Position at, List<DictItem> items) implements Expression {
        public DictOf {
            items = List.copyOf(items);
        }
    }

    record SetOf(Position at, List<Expression> items) implements Expression {
        public SetOf {
            items = List.copyOf(items);
        }
    }

    /// `operand.name`, where the operand is not a plain name. In a tuple's `.0` the name is `0`.
    record Member(Position at, Expression operand, String name) implements Expression {}

    /// `operand[index]`.
    record Element(Position at, Expression operand, Expression index) implements Expression {}

    /// `($x, $y?) -> { $z = …; RETURN …; }`; the short form has no definitions. The last
    /// `optionalCount` parameters may be omitted, and are then NULL.
    record Lambda(
            Position at,
            List<String> parameters,
            int optionalCount,
            List<Statement.Define> definitions,
            Expression result)
            implements Expression {
        public Lambda {
            parameters = List.copyOf(parameters);
            definitions = List.copyOf(definitions);
        }
    }

    /// A query in parentheses in the place of a value: the only column of its only row.
    record SubQuery(Position at, Query query) implements Expression {}

    record Exists(Position at, Query query) implements Expression {}

    enum JsonFunction {
        JSON_EXISTS,
        JSON_VALUE,
        JSON_QUERY
    }

    enum JsonWrapper {
        WITHOUT,
        CONDITIONAL,
        UNCONDITIONAL
    }

    /// The action of `ON EMPTY` or `ON ERROR`.
    enum JsonFallback {
        ERROR,
        NULL,
        TRUE,
        FALSE,
        DEFAULT,
        EMPTY_ARRAY,
        EMPTY_OBJECT
    }

    /// `value` is present for DEFAULT.
    record JsonHandler(JsonFallback fallback, Optional<Expression> value) {}

    /// `JSON_VALUE(document, 'path' PASSING … AS … RETURNING … ON EMPTY … ON ERROR)` and similar
    /// calls. Clauses that were not written are empty. All `variables` have names.
    record JsonCall(
            Position at,
            JsonFunction function,
            Expression document,
            String path,
            List<Argument> variables,
            Optional<Type> returning,
            Optional<JsonWrapper> wrapper,
            Optional<JsonHandler> onEmpty,
            Optional<JsonHandler> onError)
            implements Expression {
        public JsonCall {
            variables = List.copyOf(variables);
        }
    }
}
