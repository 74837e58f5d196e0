package io.cleave.plan;

import java.util.Optional;
import java.util.OptionalDouble;

/// Whether a join looks rows up, merges two sides that come in order, or hashes one of them; by how
/// many rows they have. Pure.
///
/// What is counted is rows that are read. A lookup locks only what it finds, so for a few rows it
/// is never left, and where nobody knows how many there are, neither is the join as it is written.
public record JoinChoice(long leftRows, long rightRows, String because) {
    /// A row that is looked up costs as much as so many in a scan.
    static final int LOOKUP_ROWS = 8;

    /// So few rows are looked up whatever there is on the other side.
    static final int MIN_SCANNED_ROWS = 1_000;

    /// So few rows make a hash table that costs less than to keep to an order.
    static final int MIN_MERGED_ROWS = 10_000;

    /// What is known of the lookups that a join could do.
    ///
    /// @param narrowed whether values of the WHERE are a part of their keys: then a scan reads no
    ///   more than the rows that have these
    /// @param dropped about how many rows each of them reads to leave some out; 0 where the join
    ///   gives all that they find
    record Lookups(boolean narrowed, double dropped) {
        double cost(double count) {
            return count * (LOOKUP_ROWS + dropped);
        }
    }

    /// Whether the right side is read as a whole, though it could be looked up.
    static boolean scans(OptionalDouble left, OptionalDouble right, Lookups lookups) {
        if (left.isEmpty() || right.isEmpty()) {
            return lookups.dropped > 0;
        }
        if (lookups.dropped == 0 && left.getAsDouble() <= MIN_SCANNED_ROWS) {
            return lookups.narrowed && left.getAsDouble() > right.getAsDouble();
        }
        return lookups.cost(left.getAsDouble()) > right.getAsDouble();
    }

    /// Whether sides that come in order are merged.
    static boolean merges(OptionalDouble left, OptionalDouble right) {
        return left.isPresent()
                && right.isPresent()
                && Math.min(left.getAsDouble(), right.getAsDouble()) > MIN_MERGED_ROWS;
    }

    /// Whether the left side rather than the right one is the hash table.
    static boolean buildsLeft(OptionalDouble left, OptionalDouble right) {
        return left.isPresent()
                && right.isPresent()
                && RowEstimates.whole(left.getAsDouble()) < RowEstimates.whole(right.getAsDouble());
    }

    /// What is read of a side of so many rows to join it with so many others.
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
        return of(left, right, "about %d rows pass by a table of about %d");
    }
}
