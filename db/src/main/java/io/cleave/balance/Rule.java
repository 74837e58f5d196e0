package io.cleave.balance;

/// The rule behind a decision. The names are stored on disk.
public enum Rule {
    SPLIT_BY_SIZE("split by size"),
    /// The tablet is so large that it is split regardless of its table's settings.
    SPLIT_BY_FORCE("split by force"),
    SPLIT_BY_LOAD("split by load"),
    /// An earlier split by load left the tablet with more load than the others.
    SPLIT_UNEVEN("split of uneven load"),
    /// The tablet's commits wait or are refused, although it uses little CPU time.
    SPLIT_BY_SATURATION("split by saturation"),
    /// The tablet's keys grow, and it is split where they will be.
    SPLIT_AHEAD("split ahead of growing keys"),
    MERGE_BY_SIZE("merge by size"),
    MERGE_BY_LOAD("merge by size and load"),
    /// The table has more tablets than its maximum.
    MERGE_TO_MAXIMUM("merge to the maximum"),
    /// The cell has much load, and another cell of the bundle has less.
    MOVE_BY_LOAD("move by load"),
    /// The cell has much data, and another cell of the bundle has less.
    MOVE_BY_SIZE("move by size"),
    /// A rule of YTsaurus' balancer, as the rules up to [#MOVE_BY_METRIC] are: tablets are too
    /// small or too large.
    RESHARD_BY_SIZE("reshard by size"),
    /// Tablets have too little or too much of the metric of their group.
    RESHARD_BY_METRIC("reshard by metric"),
    /// The cell has more in memory than others of its bundle.
    MOVE_BY_MEMORY("move by memory"),
    /// The cell has more tablets of the table than its share.
    MOVE_BY_COUNT("move by the count of tablets"),
    /// The cell or its node has more of the metric of a group than others.
    MOVE_BY_METRIC("move by metric"),
    /// The cell is being removed. This rule is above the policies.
    MOVE_OUT("move out of a cell that is being removed"),
    WARN_MAXIMUM("maximum reached"),
    WARN_GROWING_KEY("growing key"),
    WARN_HOT_KEY("hot key"),
    WARN_LONG_KEY("long key"),
    WARN_LARGE_ROW("large row"),
    WARN_NULL_KEY("NULL in a key"),
    // WARN_ONLY_PLANNED was a table with YTsaurus' balancer, until its decisions were carried out.
    /// The schedule of YTsaurus' balancer was true while no balancer ran.
    WARN_MISSED_ROUND("missed round");

    private final String text;

    Rule(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
