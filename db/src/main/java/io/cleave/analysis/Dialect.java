package io.cleave.analysis;

/// Where the two query services of YDB read one text differently.
///
/// `ansiIn`: a NULL among the items of IN makes a miss NULL, as in SQL; otherwise it is skipped.
public record Dialect(boolean ansiIn) {
    public static final Dialect QUERY_SERVICE = new Dialect(true);
    public static final Dialect TABLE_SERVICE = new Dialect(false);
}
