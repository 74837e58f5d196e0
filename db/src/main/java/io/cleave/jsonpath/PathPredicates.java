package io.cleave.jsonpath;

import com.google.re2j.Matcher;

import io.cleave.base.WatchedText;
import io.cleave.value.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Evaluates the predicates of a path. `null` is unknown, as in SQL.
final class PathPredicates {
    /// Numbers that differ by at most this are equal.
    private static final double EPSILON = 1e-20;

    private final PathEvaluator evaluator;
    private final boolean strict;

    PathPredicates(PathEvaluator evaluator, boolean strict) {
        this.evaluator = evaluator;
        this.strict = strict;
    }

    @Nullable Boolean holds(PathNode node) throws JsonPathException {
        return switch (node) {
            case PathNode.And(PathNode left, PathNode right) -> both(truth(left), truth(right));
            case PathNode.Or(PathNode left, PathNode right) ->
                    not(both(not(truth(left)), not(truth(right))));
            case PathNode.Not(PathNode operand) -> not(truth(operand));
            case PathNode.IsUnknown(PathNode operand) -> truth(operand) == null;
            case PathNode.Compare compare -> compare(compare);
            case PathNode.StartsWith startsWith -> startsWith(startsWith);
            case PathNode.Exists(PathNode operand) -> {
                List<Json> found = evaluator.findOrFail(operand);
                yield found == null ? null : !found.isEmpty();
            }
            case PathNode.LikeRegex like -> like(like);
            default -> truth(node);
        };
    }

    /// The truth value of the only item.
    private @Nullable Boolean truth(PathNode node) throws JsonPathException {
        List<Json> items = evaluator.find(node);
        if (items.size() != 1) {
            throw new JsonPathException(
                    "Expected exactly 1 item as an operand for logical operation");
        }
        return switch (items.getFirst()) {
            case Json.Constant.NULL -> null;
            case Json.Constant.TRUE -> true;
            case Json.Constant.FALSE -> false;
            default -> throw new JsonPathException("Unsupported type for logical operation");
        };
    }

    private static @Nullable Boolean both(@Nullable Boolean left, @Nullable Boolean right) {
        if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
            return false;
        }
        boolean unknown = left == null || right == null;
        return unknown ? null : Boolean.TRUE;
    }

    private static @Nullable Boolean not(@Nullable Boolean value) {
        return value == null ? null : !value;
    }

    /// Whether the comparison holds for some pair of items. In lax mode, the first pair that is
    /// true or unknown decides. In strict mode, a pair that cannot be compared makes the result
    /// unknown.
    private @Nullable Boolean compare(PathNode.Compare compare) {
        List<Json> left = evaluator.findOrFail(compare.left());
        List<Json> right = evaluator.findOrFail(compare.right());
        if (left == null || right == null) {
            return null;
        }
        boolean found = false;
        boolean unknown = false;
        for (Json l : evaluator.unwrapped(left)) {
            for (Json r : evaluator.unwrapped(right)) {
                evaluator.pass(1);
                Boolean outcome = compare(compare.comparison(), l, r);
                unknown |= outcome == null;
                found |= Boolean.TRUE.equals(outcome);
                if (!strict && (unknown || found)) {
                    return unknown ? null : Boolean.TRUE;
                }
            }
        }
        return unknown ? null : Boolean.valueOf(found);
    }

    private static @Nullable Boolean compare(
            PathNode.Comparison comparison, Json left, Json right) {
        if (left == Json.Constant.NULL || right == Json.Constant.NULL) {
            boolean container = isContainer(left) || isContainer(right);
            return container
                    ? null
                    : Boolean.valueOf(
                            comparison == PathNode.Comparison.EQUAL && left.equals(right));
        }
        if (left instanceof Json.Numeral(double l, _)
                && right instanceof Json.Numeral(double r, _)) {
            int order = Math.abs(l - r) <= EPSILON ? 0 : Double.compare(l, r);
            return holds(comparison, order);
        }
        if (left instanceof Json.Text(String l) && right instanceof Json.Text(String r)) {
            return holds(comparison, Json.BY_BYTES.compare(l, r));
        }
        if (left instanceof Json.Constant l && right instanceof Json.Constant r) {
            return holds(
                    comparison, Boolean.compare(l == Json.Constant.TRUE, r == Json.Constant.TRUE));
        }
        return null;
    }

    private static boolean isContainer(Json item) {
        return item instanceof Json.Array || item instanceof Json.Members;
    }

    private static boolean holds(PathNode.Comparison comparison, int order) {
        return switch (comparison) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    private @Nullable Boolean startsWith(PathNode.StartsWith startsWith) throws JsonPathException {
        List<Json> input = evaluator.find(startsWith.input());
        if (input.size() != 1 || !(input.getFirst() instanceof Json.Text(String text))) {
            throw new JsonPathException(
                    "Expected exactly 1 string as the input of a starts with predicate");
        }
        boolean found = false;
        boolean unknown = false;
        for (Json prefix : evaluator.find(startsWith.prefix())) {
            if (prefix instanceof Json.Text(String start)) {
                found |= text.startsWith(start);
            } else {
                unknown = true;
            }
        }
        return unknown ? null : Boolean.valueOf(found);
    }

    /// Whether the pattern matches somewhere in one of the strings.
    private @Nullable Boolean like(PathNode.LikeRegex like) {
        List<Json> input = evaluator.findOrFail(like.input());
        if (input == null) {
            return null;
        }
        boolean found = false;
        boolean unknown = false;
        for (Json item : evaluator.unwrapped(input)) {
            if (item instanceof Json.Text(String text)) {
                found |= searched(like, text).find();
            } else {
                unknown = true;
            }
            if (!strict && (found || unknown)) {
                break;
            }
        }
        return unknown ? null : Boolean.valueOf(found);
    }

    private Matcher searched(PathNode.LikeRegex like, String text) {
        int instructions = like.pattern().programSize();
        return like.pattern().matcher(WatchedText.forSearch(text, instructions, evaluator::pass));
    }
}
