package io.cleave.balance;

/// What is to be decided in a round: whether the tables of a group of a bundle are resharded, or
/// moved. Groups are those of YTsaurus' balancer.
public record Due(String bundle, String group, Kind kind) {
    public enum Kind {
        RESHARD,
        MOVE
    }
}
