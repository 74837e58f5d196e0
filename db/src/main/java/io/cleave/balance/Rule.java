package io.cleave.balance;

/// What a decision goes by.
public enum Rule {
    SPLIT_BY_SIZE("split by size"),
    /// A tablet so large is cut whatever its table says.
    SPLIT_BY_FORCE("split by force"),
    SPLIT_BY_LOAD("split by load"),
    /// A split by load has left it with more than the others.
    SPLIT_UNEVEN("split of uneven load"),
    /// Its commits wait or are refused, though it takes little CPU time.
    SPLIT_BY_SATURATION("split by saturation"),
    /// Its keys grow: it is cut where they will be.
    SPLIT_AHEAD("split ahead of growing keys"),
    MERGE_BY_SIZE("merge by size"),
    MERGE_BY_LOAD("merge by size and load"),
    /// There are more tablets than the table may have.
    MERGE_TO_MAXIMUM("merge to the maximum"),
    WARN_MAXIMUM("maximum reached"),
    WARN_GROWING_KEY("growing key"),
    WARN_HOT_KEY("hot key"),
    WARN_LONG_KEY("long key"),
    WARN_LARGE_ROW("large row"),
    WARN_NULL_KEY("NULL in a key");

    private final String text;

    Rule(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
