package io.cleave.typed;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.UnaryOperator;

/// An expression whose names and types are resolved. Comparisons, AND, OR and IN have their own
/// nodes because key ranges are derived from them. Most other operations are an [Apply] of a
/// [ScalarFunction].
///
/// An argument has exactly the type that its function was resolved for: implicit conversions are
/// [Convert] nodes.
public sealed interface Typed {
    Type type();

    record Constant(Type type, Value value) implements Typed {}

    /// A column of the row that the enclosing operator reads.
    record Input(Type type, int index) implements Typed {}

    /// A query parameter; its value is known when the query runs.
    record Parameter(Type type, String name) implements Typed {}

    /// An argument of an enclosing lambda. `level` counts lambdas from the outermost, which is 0,
    /// so it stays valid if the expression moves deeper inside that lambda.
    record LambdaArgument(Type type, int level, int index) implements Typed {}

    /// The body of a lambda whose arguments have `level`. A lambda is not a value: it occurs only
    /// in an [ApplyLambdas].
    record Lambda(int level, Typed body) {
        public Type type() {
            return body.type();
        }
    }

    /// The result of a subquery that ran earlier; `slot` is its place in the context of the run.
    record SubQueryResult(Type type, int slot) implements Typed {}

    record Apply(Type type, ScalarFunction function, List<Typed> arguments) implements Typed {
        public Apply {
            arguments = List.copyOf(arguments);
        }
    }

    record ApplyLambdas(
            Type type, LambdaFunction function, List<Typed> arguments, List<Lambda> lambdas)
            implements Typed {
        public ApplyLambdas {
            arguments = List.copyOf(arguments);
            lambdas = List.copyOf(lambdas);
        }
    }

    /// A cast or an implicit conversion. NULL stays NULL and is not passed to `conversion`.
    record Convert(Type type, Typed operand, UnaryOperator<Value> conversion) implements Typed {}

    enum Comparison {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        /// Whether the comparison is true. `order` is how the left side compares to the right side:
        /// negative if it is less, 0 if they are equal.
        public boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }

        /// The same comparison with its sides exchanged.
        public Comparison mirrored() {
            return switch (this) {
                case EQUAL, NOT_EQUAL -> this;
                case LESS -> GREATER;
                case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                case GREATER -> LESS;
                case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            };
        }
    }

    /// The types of both sides are comparable. The result is NULL if either side is NULL.
    record Compare(Type type, Comparison comparison, Typed left, Typed right) implements Typed {}

    record And(Type type, List<Typed> terms) implements Typed {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(Type type, List<Typed> terms) implements Typed {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    record Not(Type type, Typed operand) implements Typed {}

    record IsNull(Type type, Typed operand) implements Typed {}

    /// `collection` has the type List, Tuple, Dict or Set. `ansi` selects the ANSI semantics of
    /// NULL.
    record In(Type type, Typed operand, Typed collection, boolean ansi) implements Typed {}

    record Coalesce(Type type, List<Typed> arguments) implements Typed {
        public Coalesce {
            arguments = List.copyOf(arguments);
        }
    }

    record Branch(Typed condition, Typed result) {}

    /// The result of the first branch whose condition is true; `otherwise` if there is none.
    record Choose(Type type, List<Branch> branches, Typed otherwise) implements Typed {
        public Choose {
            branches = List.copyOf(branches);
        }
    }

    /// Item `index` of a Tuple or Struct; NULL if the operand is NULL.
    record ItemOf(Type type, Typed operand, int index) implements Typed {}

    /// A new Tuple, Struct or List with the given items in order.
    record ItemsOf(Type type, List<Typed> items) implements Typed {
        public ItemsOf {
            items = List.copyOf(items);
        }
    }
}
