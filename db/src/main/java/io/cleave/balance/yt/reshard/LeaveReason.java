package io.cleave.balance.yt.reshard;

/// Why a tablet is left as it is.
public enum LeaveReason {
    FITS("it fits"),
    ONLY_TABLET("too small, but it is the only tablet of its table"),
    AT_MINIMUM_COUNT("a merge would leave fewer tablets than min_tablet_count"),
    /// The merges that `min_tablet_count` allows go to other small tablets.
    NO_MERGE_BUDGET("too small, but a merge would go below min_tablet_count in this round"),
    NO_NEIGHBOR("too small, but no neighbor can be merged with it in this round"),
    ONE_PARTITION("too large, but it has only one partition"),
    NO_CUT_FITS("no number of tablets would bring the sizes within the bounds"),
    LIMIT("the limit of reshards per round is reached"),
    COUNT_LIMIT("the table would have 10000 tablets or more"),
    NO_DATA("it has load, but no data that could be divided"),
    FROZEN("frozen, and only mounted tablets are resharded"),
    NOT_MOUNTED("not mounted, and only mounted tablets are resharded"),
    NOT_SORTED("tablets of an ordered table are not resharded"),
    SWITCHED_OFF_AT_TABLE("switched off by enable_auto_reshard of the table"),
    SWITCHED_OFF_AT_BUNDLE("switched off by enable_tablet_size_balancer of the bundle"),
    SWITCHED_OFF_AT_GROUP("switched off by enable_reshard of the group"),
    NO_GROUP("the bundle has no group of the name that the table gives"),
    NOT_NEARER("its keys allow no tablets that are clearly nearer to the wanted sizes"),
    NOT_WANTED("neither desired_tablet_count nor desired_tablet_metric is set"),
    BAD_COUNT("desired_tablet_count must be positive"),
    BAD_METRIC("the metric of a tablet must be a number that is not negative");

    private final String text;

    LeaveReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
