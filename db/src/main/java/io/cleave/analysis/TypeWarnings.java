package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.value.Convert;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Collects warnings about integers that are implicitly reinterpreted between signed and unsigned.
/// Their structure is the one that YDB's tools expect: one issue for the text, below it the
/// operations, below each the reason. Used by one thread for one text.
final class TypeWarnings {
    private final Set<Issue> functions = new LinkedHashSet<>();

    /// The conversions of the current statement that are not yet attached to an operation.
    private Set<Issue> conversions = new LinkedHashSet<>();

    /// There is no warning for a literal that fits the target type.
    void converted(Position at, Typed value, Type target) {
        if (!isWritten(value, target)) {
            Convert.warning(value.type(), target)
                    .ifPresent(text -> conversions.add(bitcast(at, text)));
        }
    }

    private static boolean isWritten(Typed value, Type target) {
        return value instanceof Typed.Constant(Type type, Value.Int(long number))
                && type.unwrapped() instanceof Primitive from
                && target.unwrapped() instanceof Primitive to
                && Ints.isInteger(from)
                && Ints.isInteger(to)
                && holds(to, Ints.number(from == Primitive.UINT64, number));
    }

    private static boolean holds(Primitive type, BigInteger number) {
        boolean unsigned = type == Primitive.UINT64;
        return number.compareTo(BigInteger.valueOf(Ints.min(type))) >= 0
                && number.compareTo(Ints.number(unsigned, Ints.max(type))) <= 0;
    }

    /// Warns about `+ - * / %` of a signed and an unsigned integer if the result type may lose the
    /// sign of an operand. There is no warning if the narrower operand is a literal that is not
    /// negative.
    void operated(Position at, BinaryOperator operator, Typed left, Typed right) {
        if (!(left.type().unwrapped() instanceof Primitive l)
                || !(right.type().unwrapped() instanceof Primitive r)
                || !Ints.isInteger(l)
                || !Ints.isInteger(r)
                || Ints.isSigned(l) == Ints.isSigned(r)) {
            return;
        }
        boolean leftWider = Ints.bytes(l) > Ints.bytes(r);
        Typed narrow = leftWider ? right : left;
        boolean keepsSign =
                Ints.bytes(l) != Ints.bytes(r)
                        && (Ints.isSigned(leftWider ? l : r) || isNotNegative(narrow));
        if (!keepsSign) {
            String text =
                    "Integral type implicit bitcast: %s and %s"
                            .formatted(text(left.type()), text(right.type()));
            functions.add(at(at, operator.text(), bitcast(at, text)));
        }
    }

    private static boolean isNotNegative(Typed value) {
        return value instanceof Typed.Constant(_, Value.Int(long number)) && number >= 0;
    }

    /// Attaches the conversions since the last call to a write of rows, whose columns had the types
    /// `from`.
    void written(Position at, List<Type> from, List<Relation.Field> to) {
        close("KiWriteTable!", at, from, to);
    }

    /// Attaches the conversions since the last call to an UPDATE, whose values had the types
    /// `from`.
    void updated(Position at, List<Type> from, List<Relation.Field> to) {
        close("KiUpdateTable!", at, from, to);
    }

    private void close(String function, Position at, List<Type> from, List<Relation.Field> to) {
        if (!conversions.isEmpty()) {
            List<Type.Member> source = new ArrayList<>();
            List<Type.Member> target = new ArrayList<>();
            for (int index = 0; index < to.size(); index++) {
                source.add(new Type.Member(to.get(index).name(), from.get(index)));
                target.add(new Type.Member(to.get(index).name(), to.get(index).type()));
            }
            String text =
                    "Failed to convert type: %s to %s"
                            .formatted(
                                    text(new Type.Struct(source)), text(new Type.Struct(target)));
            Issue failed = Issue.warning(0, text).at(at).because(List.copyOf(conversions));
            functions.add(at(at, function, failed));
        }
        conversions = new LinkedHashSet<>();
    }

    /// All warnings as one issue, if there are any.
    Optional<Issue> issue() {
        List<Issue> all = new ArrayList<>(functions);
        all.addAll(conversions);
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(Issue.warning(Issue.TYPE_ANNOTATION, "Type annotation").because(all));
    }

    private static Issue at(Position at, String function, Issue cause) {
        return Issue.warning(0, "At function: " + function).at(at).because(cause);
    }

    private static Issue bitcast(Position at, String text) {
        return Issue.warning(Issue.IMPLICIT_BITCAST, text).at(at);
    }

    /// The type in the notation of YDB's warnings.
    private static String text(Type type) {
        return switch (type) {
            case Type.Optional(Type item) -> text(item) + "?";
            case Type.Struct(List<Type.Member> members) ->
                    members.stream()
                            .sorted(Comparator.comparing(Type.Member::name))
                            .map(member -> "'" + member.name() + "':" + text(member.type()))
                            .collect(Collectors.joining(",", "Struct<", ">"));
            default -> type.text();
        };
    }
}
