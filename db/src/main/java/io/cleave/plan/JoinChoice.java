package io.cleave.plan;

import java.util.Optional;
import java.util.OptionalDouble;

/// Decides by the estimated number of rows whether a join looks up rows, merges two sorted sides,
/// or hashes one side. Pure.
///
/// Costs are numbers of rows that are read. A lookup locks only the rows that it finds, so lookups
/// are preferred for a few rows. If the number of rows is unknown, the join stays as it is written.
public record JoinChoice(long leftRows, long rightRows, String because) {
    /// A lookup of one row costs as much as this number of rows in a scan.
    static final int LOOKUP_ROWS = 8;

    /// Up to this number of left rows, lookups are preferred even to a cheaper scan.
    static final int MIN_SCANNED_ROWS = 1_000;

    /// Up to this number of rows, a hash table costs less than keeping both sides in order.
    static final int MIN_MERGED_ROWS = 10_000;

    /// Properties of the lookups that a join could make.
    ///
    /// @param narrowed whether values of the WHERE are a part of the lookup keys: then a scan reads
    ///   only the rows with these values
    /// @param dropped the approximate number of rows that each lookup reads and then drops; 0 if
    ///   the join returns all rows that it finds
    record Lookups(boolean narrowed, double dropped) {
        double cost(double count) {
            return count * (LOOKUP_ROWS + dropped);
        }
    }

    /// Whether the right side is scanned although it could be looked up.
    static boolean scans(OptionalDouble left, OptionalDouble right, Lookups lookups) {
        if (left.isEmpty() || right.isEmpty()) {
            return lookups.dropped > 0;
        }
        if (lookups.dropped == 0 && left.getAsDouble() <= MIN_SCANNED_ROWS) {
            return lookups.narrowed && left.getAsDouble() > right.getAsDouble();
        }
        return lookups.cost(left.getAsDouble()) > right.getAsDouble();
    }

    /// Whether two sides that are sorted by their keys are merged.
    static boolean merges(OptionalDouble left, OptionalDouble right) {
        return left.isPresent()
                && right.isPresent()
                && Math.min(left.getAsDouble(), right.getAsDouble()) > MIN_MERGED_ROWS;
    }

    /// Whether the hash table is built from the left side instead of the right side.
    static boolean buildsLeft(OptionalDouble left, OptionalDouble right) {
        return left.isPresent()
                && right.isPresent()
                && RowEstimates.whole(left.getAsDouble()) < RowEstimates.whole(right.getAsDouble());
    }

    /// The cost of reading a side of `right` rows to join it with `left` rows.
    static double cost(double left, double right, Optional<Lookups> lookups) {
        return lookups.isPresent()
                        && !scans(OptionalDouble.of(left), OptionalDouble.of(right), lookups.get())
                ? lookups.get().cost(left)
                : right;
    }

    private static JoinChoice of(OptionalDouble left, OptionalDouble right, String because) {
        long l = RowEstimates.whole(left.orElse(0));
        long r = RowEstimates.whole(right.orElse(0));
        return new JoinChoice(l, r, because.formatted(l, r));
    }

    static JoinChoice lookup(OptionalDouble left, OptionalDouble right) {
        return of(left, right, "about %d lookups rather than a scan of about %d rows");
    }

    static JoinChoice merge(OptionalDouble left, OptionalDouble right) {
        return of(left, right, "about %d and %d rows come in the order of their keys");
    }

    static JoinChoice hash(OptionalDouble left, OptionalDouble right) {
        return of(left, right, "about %d rows probe a hash table of about %d");
    }
}
