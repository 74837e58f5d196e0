package io.cleave.balance.yt.reshard;

/// The options of the whole cluster that resharding goes by.
///
/// @param minDesiredTabletSize in bytes; tablets are not made smaller than this by a count of
///   tablets. 0 switches it off
/// @param ignoreTabletToCellRatio whether a small bundle does not limit the count of tablets
/// @param pickReshardPivotKeys whether a tablet of one partition can be split
public record ReshardOptions(
        long minDesiredTabletSize, boolean ignoreTabletToCellRatio, boolean pickReshardPivotKeys) {
    public static final ReshardOptions DEFAULT = new ReshardOptions(5L << 20, false, true);

    /// The most tablets that a table may have.
    public static final int MAX_TABLETS = 10_000;
}
