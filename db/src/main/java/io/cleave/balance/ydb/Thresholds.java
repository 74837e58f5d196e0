package io.cleave.balance.ydb;

/// Thresholds that are the same for all tables and nodes.
final class Thresholds {
    /// Adjacent tablets are merged if their total size is below this share of the split size.
    static final double MERGE_SIZE_SHARE = 0.5;

    /// Replaces MERGE_SIZE_SHARE while a table has more tablets than its maximum.
    static final double CROWDED_SIZE_SHARE = 0.9;

    /// A key with at least this share of a tablet's load is hot.
    static final double HOT_KEY_SHARE = 0.25;

    /// Keys grow if more than this share of the later writes go beyond all earlier ones.
    static final double TAIL_SHARE = 0.8;

    /// With fewer samples, nothing is concluded about keys.
    static final int MIN_SAMPLES = 50;

    /// Tolerance in comparisons of shares, which are inexact as doubles.
    static final double ROUNDING = 1e-6;

    /// The load is rising if the later half of the load window has at least this multiple of the
    /// load of the whole window. The level it will reach is not known then.
    static final double RISING = 1.25;

    /// A tablet from a split by load is uneven if its load is more than this multiple of the mean
    /// of the table's busy tablets.
    static final double UNEVEN = 1.3;

    /// Tablets below this share of `splitCores` are not evened out.
    static final double UNEVEN_SHARE = 0.7;

    /// Tablets below this share of `splitCores` are not busy, and their keys are not examined.
    static final double BUSY_SHARE = 0.2;

    /// A cell gives a tablet to another one only if that is lighter by at least this share.
    static final double MOVE_IMBALANCE = 0.3;

    /// A tablet that is moved weighs at most this share of the difference between the cells.
    static final double MOVE_MOST = 0.75;

    private Thresholds() {}
}
