package io.cleave.schema;

/// Counts of optimistic locks of transactions on a tablet.
///
/// @param ofAll locks that were widened to the whole tablet
public record LockCounts(long acquired, long ofAll, long broken) {
    public static final LockCounts NONE = new LockCounts(0, 0, 0);

    public LockCounts plus(LockCounts more) {
        return new LockCounts(acquired + more.acquired, ofAll + more.ofAll, broken + more.broken);
    }

    public LockCounts minus(LockCounts less) {
        return new LockCounts(acquired - less.acquired, ofAll - less.ofAll, broken - less.broken);
    }
}
