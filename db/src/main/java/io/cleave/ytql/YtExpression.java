package io.cleave.ytql;

import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtType;

import java.util.List;
import java.util.Optional;

/// An expression as it was written. A tuple is a list of expressions. Operators that may compare
/// tuples therefore have lists as operands.
///
/// Every node has its place in the text, and its depth, which is 1 for a leaf. A text may make a
/// deep tree, so no code walks a tree before [#depth] was checked.
sealed interface YtExpression {
    /// The bytes `[from, to)` of the text.
    record Place(int from, int to) {
        Place to(Place end) {
            return new Place(from, Math.max(to, end.to));
        }
    }

    Place at();

    int depth();

    record Literal(Place at, YtLiteral value) implements YtExpression {
        @Override
        public int depth() {
            return 1;
        }
    }

    /// A placeholder whose value is known when the query runs.
    record Sent(Place at, String name, YtType type) implements YtExpression {
        @Override
        public int depth() {
            return 1;
        }
    }

    /// IN with a placeholder for the list, whose items are known when the query runs.
    record InSent(Place at, List<YtExpression> operand, String name, YtType type, int depth)
            implements YtExpression {
        public InSent {
            operand = List.copyOf(operand);
        }
    }

    /// A column or an alias. `path` and `index` select a part of a composite value.
    record Reference(
            Place at,
            Optional<String> table,
            String column,
            List<String> path,
            Optional<YtExpression> index)
            implements YtExpression {
        public Reference {
            path = List.copyOf(path);
        }

        static Reference of(Place at, String column) {
            return new Reference(at, Optional.empty(), column, List.of(), Optional.empty());
        }

        @Override
        public int depth() {
            return index.map(inside -> inside.depth() + 1).orElse(1);
        }
    }

    record Alias(Place at, YtExpression expression, String name, int depth)
            implements YtExpression {
        static Alias of(Place at, YtExpression expression, String name) {
            return new Alias(at, expression, name, expression.depth() + 1);
        }
    }

    record Call(Place at, String function, List<YtExpression> arguments, int depth)
            implements YtExpression {
        public Call {
            arguments = List.copyOf(arguments);
        }

        static Call of(Place at, String function, List<YtExpression> arguments) {
            return new Call(at, function, arguments, 1 + deepest(arguments));
        }
    }

    record Unary(Place at, YtOperator operator, List<YtExpression> operand, int depth)
            implements YtExpression {
        public Unary {
            operand = List.copyOf(operand);
        }

        static Unary of(Place at, YtOperator operator, List<YtExpression> operand) {
            return new Unary(at, operator, operand, 1 + deepest(operand));
        }
    }

    record Binary(
            Place at,
            YtOperator operator,
            List<YtExpression> left,
            List<YtExpression> right,
            int depth)
            implements YtExpression {
        public Binary {
            left = List.copyOf(left);
            right = List.copyOf(right);
        }

        static Binary of(
                Place at, YtOperator operator, List<YtExpression> left, List<YtExpression> right) {
            int depth = 1 + Math.max(deepest(left), deepest(right));
            return new Binary(at, operator, left, right, depth);
        }
    }

    record In(Place at, List<YtExpression> operand, List<List<YtLiteral>> tuples, int depth)
            implements YtExpression {
        public In {
            operand = List.copyOf(operand);
            tuples = List.copyOf(tuples);
        }
    }

    /// A range of tuples. If a bound is shorter than the operand, only the items of the bound are
    /// compared.
    record Range(List<YtLiteral> lower, List<YtLiteral> upper) {
        public Range {
            lower = List.copyOf(lower);
            upper = List.copyOf(upper);
        }
    }

    record Between(Place at, List<YtExpression> operand, List<Range> ranges, int depth)
            implements YtExpression {
        public Between {
            operand = List.copyOf(operand);
            ranges = List.copyOf(ranges);
        }
    }

    record Transform(
            Place at,
            List<YtExpression> operand,
            List<List<YtLiteral>> from,
            List<List<YtLiteral>> to,
            Optional<YtExpression> otherwise,
            int depth)
            implements YtExpression {
        public Transform {
            operand = List.copyOf(operand);
            from = List.copyOf(from);
            to = List.copyOf(to);
        }
    }

    record WhenThen(YtExpression condition, YtExpression result) {}

    record Case(
            Place at,
            Optional<YtExpression> operand,
            List<WhenThen> branches,
            Optional<YtExpression> otherwise,
            int depth)
            implements YtExpression {
        public Case {
            branches = List.copyOf(branches);
        }
    }

    enum Match {
        LIKE("LIKE"),
        ILIKE("ILIKE"),
        REGEXP("REGEXP");

        final String words;

        Match(String words) {
            this.words = words;
        }
    }

    record Like(
            Place at,
            YtExpression text,
            Match match,
            YtExpression pattern,
            Optional<YtExpression> escape,
            int depth)
            implements YtExpression {}

    record Cast(Place at, YtExpression operand, String type, int depth) implements YtExpression {}

    /// A query inside an expression, which is refused.
    record Subquery(Place at, int depth) implements YtExpression {}

    /// The depth of the deepest of the expressions, or 0.
    static int deepest(List<YtExpression> expressions) {
        int depth = 0;
        for (YtExpression expression : expressions) {
            depth = Math.max(depth, expression.depth());
        }
        return depth;
    }
}
