package io.cleave.jsonpath;

import com.google.re2j.Pattern;

import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A node of a parsed path. Each node yields a sequence of items. A predicate yields one item,
/// which is `null` if its value is unknown.
sealed interface PathNode {
    /// `$`.
    record Document() implements PathNode {}

    /// `@`, the item that a filter tests.
    record Filtered() implements PathNode {}

    /// `last`, within the subscripts of an array.
    record Last() implements PathNode {}

    /// `$name`.
    record Variable(String name) implements PathNode {}

    record Literal(Json value) implements PathNode {}

    /// `.name`.
    record Member(PathNode input, String name) implements PathNode {}

    /// `.*`.
    record EveryMember(PathNode input) implements PathNode {}

    /// `from to to`; a single index has no `to`.
    record Subscript(PathNode from, @Nullable PathNode to) {}

    /// `[0, 2 to last]`.
    record Elements(PathNode input, List<Subscript> subscripts) implements PathNode {}

    /// `[*]`.
    record EveryElement(PathNode input) implements PathNode {}

    /// `? (predicate)`.
    record Filter(PathNode input, PathNode predicate) implements PathNode {}

    enum MethodName {
        ABS,
        FLOOR,
        CEILING,
        DOUBLE,
        TYPE,
        SIZE,
        KEYVALUE
    }

    /// A method call such as `.size()`.
    record Method(PathNode input, MethodName name) implements PathNode {}

    record Negate(PathNode operand) implements PathNode {}

    /// `+x`, which is defined for numbers only.
    record Positive(PathNode operand) implements PathNode {}

    enum Operator {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        MODULO
    }

    record Arithmetic(Operator operator, PathNode left, PathNode right) implements PathNode {}

    enum Comparison {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    record Compare(Comparison comparison, PathNode left, PathNode right) implements PathNode {}

    record And(PathNode left, PathNode right) implements PathNode {}

    record Or(PathNode left, PathNode right) implements PathNode {}

    record Not(PathNode operand) implements PathNode {}

    record StartsWith(PathNode input, PathNode prefix) implements PathNode {}

    record IsUnknown(PathNode operand) implements PathNode {}

    record Exists(PathNode operand) implements PathNode {}

    record LikeRegex(PathNode input, Pattern pattern) implements PathNode {}
}
