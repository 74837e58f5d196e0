package io.cleave.balance.yt.move;

/// What moves look at in a table.
///
/// @param group the group of the bundle that the table is balanced in; empty if there is no such
///   group, and the table is not balanced
/// @param enableAutoTabletMove the table's own switch
/// @param isByMetric whether the group is balanced by a metric
public record MovableTable(
        long tableId,
        boolean isInMemory,
        String group,
        boolean enableAutoTabletMove,
        boolean isByMetric) {}
