package io.cleave.analysis;

import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.yql.Expression.FrameEdge;

import java.util.Optional;

/// Which rows around a row a window function looks at. With `range` the current row stands for all
/// that ORDER BY finds equal to it, and offsets are distances from the `key` that it orders by.
public record WindowFrame(boolean range, Bound from, Bound to, Optional<RangeKey> key) {
    /// What the one key of ORDER BY is made a number with: whole ones are counted in `unit`, which
    /// for dates is in microseconds, as intervals are.
    public record RangeKey(boolean real, boolean unsigned, long unit, boolean descending) {
        /// Of a key that can be so far away, if it can.
        static Optional<RangeKey> of(Type key, Type offset, boolean descending) {
            boolean unsigned = key == Primitive.UINT64;
            if (isReal(key) || isReal(offset)) {
                return isNumber(key) && isNumber(offset)
                        ? Optional.of(new RangeKey(true, unsigned, 1, descending))
                        : Optional.empty();
            }
            boolean whole = Ints.isInteger(key) && Ints.isInteger(offset);
            boolean interval = DateArithmetic.isInterval(key) && DateArithmetic.isInterval(offset);
            if (whole || interval) {
                return Optional.of(new RangeKey(false, unsigned, 1, descending));
            }
            return DateArithmetic.isDate(key) && DateArithmetic.isInterval(offset)
                    ? Optional.of(
                            new RangeKey(false, false, DateArithmetic.unitMicros(key), descending))
                    : Optional.empty();
        }

        private static boolean isReal(Type type) {
            return type == Primitive.FLOAT || type == Primitive.DOUBLE;
        }

        private static boolean isNumber(Type type) {
            return isReal(type) || Ints.isInteger(type);
        }
    }

    WindowFrame(boolean range, Bound from, Bound to) {
        this(range, from, to, Optional.empty());
    }

    /// `offset` is a number of rows, or a distance of keys, and reads no row; it is there for
    /// PRECEDING and FOLLOWING.
    public record Bound(FrameEdge edge, Optional<Typed> offset) {
        /// The row where it is, of a partition of `size`; may lie outside.
        public int row(int current, int offsetRows, int size) {
            return switch (edge) {
                case UNBOUNDED_PRECEDING -> 0;
                case PRECEDING -> current - offsetRows;
                case CURRENT_ROW -> current;
                case FOLLOWING -> current + offsetRows;
                case UNBOUNDED_FOLLOWING -> size;
            };
        }

        /// Whether it is so far before the current row.
        public boolean precedes() {
            return edge == FrameEdge.PRECEDING;
        }

        static Bound of(FrameEdge edge) {
            return new Bound(edge, Optional.empty());
        }
    }

    static final WindowFrame WHOLE =
            new WindowFrame(
                    false,
                    Bound.of(FrameEdge.UNBOUNDED_PRECEDING),
                    Bound.of(FrameEdge.UNBOUNDED_FOLLOWING));

    /// What ORDER BY without a frame means: up to the current row, or with `range` up to the last
    /// of its peers.
    static WindowFrame upToCurrent(boolean range) {
        return new WindowFrame(
                range, Bound.of(FrameEdge.UNBOUNDED_PRECEDING), Bound.of(FrameEdge.CURRENT_ROW));
    }

    /// Whether it may lack the current row, and so every row.
    boolean mayBeEmpty() {
        return from.edge() == FrameEdge.FOLLOWING || to.edge() == FrameEdge.PRECEDING;
    }

    /// Whether it is the whole partition.
    public boolean isWhole() {
        return from.edge() == FrameEdge.UNBOUNDED_PRECEDING
                && to.edge() == FrameEdge.UNBOUNDED_FOLLOWING;
    }

    /// As in a text: `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`, the offsets put by the caller.
    public String text(String fromOffset, String toOffset) {
        return "%s BETWEEN %s%s AND %s%s"
                .formatted(
                        range ? "RANGE" : "ROWS",
                        fromOffset.isEmpty() ? "" : fromOffset + " ",
                        from.edge().name().replace('_', ' '),
                        toOffset.isEmpty() ? "" : toOffset + " ",
                        to.edge().name().replace('_', ' '));
    }
}
