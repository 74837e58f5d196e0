package io.cleave.typed;

import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.Optional;

/// The frame of a window function: the rows around the current row that it reads. With `range`, the
/// current row stands for all its peers in ORDER BY, and offsets are distances from the current
/// row's `key`, the single sort key.
public record WindowFrame(boolean range, Bound from, Bound to, Optional<RangeKey> key) {
    /// How the single ORDER BY key is converted to a number. An integer key is multiplied by
    /// `unit`. For dates that gives microseconds, the unit of intervals.
    public record RangeKey(boolean real, boolean unsigned, long unit, boolean descending) {
        /// Empty if an offset of this type cannot be added to a key of this type.
        public static Optional<RangeKey> of(Type key, Type offset, boolean descending) {
            boolean unsigned = key == Primitive.UINT64;
            if (isReal(key) || isReal(offset)) {
                return isNumber(key) && isNumber(offset)
                        ? Optional.of(new RangeKey(true, unsigned, 1, descending))
                        : Optional.empty();
            }
            boolean whole = Ints.isInteger(key) && Ints.isInteger(offset);
            boolean interval = Ints.isInterval(key) && Ints.isInterval(offset);
            if (whole || interval) {
                return Optional.of(new RangeKey(false, unsigned, 1, descending));
            }
            return Ints.isDate(key) && Ints.isInterval(offset)
                    ? Optional.of(new RangeKey(false, false, Ints.unitMicros(key), descending))
                    : Optional.empty();
        }

        private static boolean isReal(Type type) {
            return type == Primitive.FLOAT || type == Primitive.DOUBLE;
        }

        private static boolean isNumber(Type type) {
            return isReal(type) || Ints.isInteger(type);
        }
    }

    public WindowFrame(boolean range, Bound from, Bound to) {
        this(range, from, to, Optional.empty());
    }

    /// The kind of a frame's start or end.
    public enum Edge {
        UNBOUNDED_PRECEDING,
        PRECEDING,
        CURRENT_ROW,
        FOLLOWING,
        UNBOUNDED_FOLLOWING
    }

    /// `offset` is a number of rows, or with RANGE a distance between keys. It reads no row, and is
    /// present only for PRECEDING and FOLLOWING.
    public record Bound(Edge edge, Optional<Typed> offset) {
        /// The row number of this bound in a partition of `size` rows; it may lie outside the
        /// partition.
        public int row(int current, int offsetRows, int size) {
            return switch (edge) {
                case UNBOUNDED_PRECEDING -> 0;
                case PRECEDING -> current - offsetRows;
                case CURRENT_ROW -> current;
                case FOLLOWING -> current + offsetRows;
                case UNBOUNDED_FOLLOWING -> size;
            };
        }

        /// Whether the bound lies at an offset before the current row.
        public boolean precedes() {
            return edge == Edge.PRECEDING;
        }

        static Bound of(Edge edge) {
            return new Bound(edge, Optional.empty());
        }
    }

    public static final WindowFrame WHOLE =
            new WindowFrame(
                    false, Bound.of(Edge.UNBOUNDED_PRECEDING), Bound.of(Edge.UNBOUNDED_FOLLOWING));

    /// The default frame with ORDER BY: up to the current row, or with `range` up to its last peer.
    public static WindowFrame upToCurrent(boolean range) {
        return new WindowFrame(
                range, Bound.of(Edge.UNBOUNDED_PRECEDING), Bound.of(Edge.CURRENT_ROW));
    }

    /// Whether the frame may exclude the current row, and so may be empty.
    public boolean mayBeEmpty() {
        return from.edge() == Edge.FOLLOWING || to.edge() == Edge.PRECEDING;
    }

    /// Whether the frame is the whole partition.
    public boolean isWhole() {
        return from.edge() == Edge.UNBOUNDED_PRECEDING && to.edge() == Edge.UNBOUNDED_FOLLOWING;
    }

    /// The frame as written in a query: `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`. The caller
    /// supplies the offsets as text.
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
