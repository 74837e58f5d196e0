package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.function.UnaryOperator;

/// An expression whose names and types are resolved. Comparisons, AND, OR and IN have nodes of
/// their own because key ranges are read off them; everything else is an [Apply] of a
/// [ScalarFunction].
///
/// An argument's type is exactly what the function was resolved for: implicit conversions are
/// [Convert] nodes.
public sealed interface Typed {
    Type type();

    record Constant(Type type, Value value) implements Typed {}

    /// A column of the row that the enclosing operator reads.
    record Input(Type type, int index) implements Typed {}

    /// A query parameter; its value is known when the query runs.
    record Parameter(Type type, String name) implements Typed {}

    /// An argument of an enclosing lambda; `level` counts lambdas inwards from 0, the outermost, so
    /// that it stays true wherever the expression is put inside that lambda.
    record LambdaArgument(Type type, int level, int index) implements Typed {}

    /// The body of a lambda whose arguments have `level`. It is no value of its own: it only stands
    /// in an [ApplyLambdas].
    record Lambda(int level, Typed body) {
        public Type type() {
            return body.type();
        }
    }

    /// The result of a subquery that ran before: slot of the run's context.
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

    /// A cast or an implicit conversion; NULL stays NULL and is not given to `conversion`.
    record Convert(Type type, Typed operand, UnaryOperator<Value> conversion) implements Typed {}

    enum Comparison {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    /// Both sides have been found comparable; NULL on either side gives NULL.
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

    /// `collection` has the type List, Tuple, Dict or Set; what NULL means in it was decided by the
    /// dialect (`ansi`).
    record In(Type type, Typed operand, Typed collection, boolean ansi) implements Typed {}

    record Coalesce(Type type, List<Typed> arguments) implements Typed {
        public Coalesce {
            arguments = List.copyOf(arguments);
        }
    }

    record Branch(Typed condition, Typed result) {}

    /// The result of the first branch whose condition is true.
    record Choose(Type type, List<Branch> branches, Typed otherwise) implements Typed {
        public Choose {
            branches = List.copyOf(branches);
        }
    }

    /// Item `index` of a Tuple or Struct; NULL when the operand is.
    record ItemOf(Type type, Typed operand, int index) implements Typed {}

    /// A new Tuple, Struct or List, by position.
    record ItemsOf(Type type, List<Typed> items) implements Typed {
        public ItemsOf {
            items = List.copyOf(items);
        }
    }
}
