package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.List;

/// The order of values of the type `any`. Values of different types are ordered like their
/// [YtType]. Entities come first, lists last. Maps and attributes cannot be compared.
final class AnyOrder {
    private AnyOrder() {}

    static int compare(Bytes left, Bytes right) {
        return compare(YtYson.parse(left), YtYson.parse(right));
    }

    private static int compare(YsonNode left, YsonNode right) {
        YtType leftType = comparableType(left);
        YtType rightType = comparableType(right);
        if (leftType != rightType) {
            return leftType.compareTo(rightType);
        }
        return switch (left) {
            case YsonNode.Int64(long value) ->
                    Long.compare(value, ((YsonNode.Int64) right).value());
            case YsonNode.Uint64(long value) ->
                    Long.compareUnsigned(value, ((YsonNode.Uint64) right).value());
            case YsonNode.Real(double value) ->
                    YtNumbers.compare(value, ((YsonNode.Real) right).value());
            case YsonNode.Bool(boolean value) ->
                    Boolean.compare(value, ((YsonNode.Bool) right).value());
            case YsonNode.Text(Bytes value) -> value.compareTo(((YsonNode.Text) right).value());
            case YsonNode.Items(List<YsonNode> items) ->
                    compare(items, ((YsonNode.Items) right).items());
            default -> 0;
        };
    }

    private static int compare(List<YsonNode> left, List<YsonNode> right) {
        int common = Math.min(left.size(), right.size());
        for (int index = 0; index < common; index++) {
            int order = compare(left.get(index), right.get(index));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static YtType comparableType(YsonNode node) {
        return switch (node) {
            case YsonNode.Members _ ->
                    throw YtQueryErrors.failure("Incomparable YSON token \"begin_map\"");
            case YsonNode.Attributed _ ->
                    throw YtQueryErrors.failure("Incomparable YSON token \"begin_attributes\"");
            default -> YtYson.type(node);
        };
    }

    /// Compares YSON with a value of another type. The YSON must contain a value of that type.
    static int compare(Bytes left, YtType type, Value right) {
        YsonNode node = YtYson.parse(left);
        if (YtYson.type(node) != type || node instanceof YsonNode.Attributed) {
            throw YtQueryErrors.failure(
                    "Cannot compare values of types \"%s\" and \"%s\""
                            .formatted(YtYson.token(node), type.text()));
        }
        return compare(node, YtYson.node(type, right));
    }
}
