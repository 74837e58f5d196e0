package io.cleave.balance.yt.move;

/// Why a tablet stays in its cell.
public enum StayReason {
    OTHER_GROUP("its table is balanced in another group, or in none"),
    /// Moves go by the tablets that a reshard leaves.
    RESHARD_FIRST("tablets of its group are resharded first"),
    OUTSIDE_BUNDLE("its cell is not one of its bundle"),
    SWITCHED_OFF_AT_TABLE("switched off by enable_auto_tablet_move of the table"),
    NOT_PARAMETERIZED(
            "its group is balanced by a metric, and enable_parameterized is off for the table"),
    SWITCHED_OFF_AT_BUNDLE("switched off by enable_cell_balancer of the bundle"),
    IN_MEMORY_OFF_AT_BUNDLE("switched off by enable_in_memory_cell_balancer of the bundle"),
    SWITCHED_OFF_AT_GROUP("switched off by enable_move of the group"),
    NOT_ASKED_FOR("its table is not among those of the command"),
    NOT_MOUNTED("only mounted and frozen tablets are moved"),
    IN_MEMORY("in-memory tablets are moved by other rules"),
    NOT_IN_MEMORY("ordinary tablets are moved by other rules"),
    NO_LOAD("it has no load"),
    NO_MEMORY_USED("it uses no memory"),
    ONE_CELL("its bundle has no other cell that is alive"),
    BALANCED("the cells are balanced"),
    /// Its cell gives tablets away, but this one is too large for every other cell.
    TOO_LARGE("the target cell would be as loaded as the source cell"),
    CELL_AT_MEAN("its cell is not clearly above the mean"),
    IN_ITS_SHARE("its cell has its share of the table's tablets"),
    NO_GAIN("no move of it makes cells and nodes more even"),
    SMALL_GAIN("the gain of a move is below min_relative_metric_improvement"),
    NO_MEMORY("no cell that would be better has memory for it"),
    LIMIT("the limit of moves per round is reached"),
    BAD_METRIC("the metric of a tablet of the group is negative or not a number");

    private final String text;

    StayReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
