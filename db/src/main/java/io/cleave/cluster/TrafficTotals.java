package io.cleave.cluster;

import io.cleave.lsm.FilterStatistics;
import io.cleave.schema.TabletTraffic;
import io.cleave.tablet.TabletStatistics;

/// The traffic of all tablets since the process started. The numbers only grow, even when tablets
/// are split, merged or dropped.
public record TrafficTotals(
        long rowReads,
        long rowUpdates,
        long rowDeletes,
        long rangeReadRows,
        long locksBroken,
        long filterChecks,
        long filterTruePositives,
        long filterFalsePositives) {
    public static final TrafficTotals NONE = new TrafficTotals(0, 0, 0, 0, 0, 0, 0, 0);

    static TrafficTotals of(TabletStatistics tablet) {
        TabletTraffic traffic = tablet.traffic();
        FilterStatistics filter = tablet.statistics().filter();
        return new TrafficTotals(
                traffic.rowReads(),
                traffic.rowUpdates(),
                traffic.rowDeletes(),
                traffic.rangeReadRows(),
                traffic.locks().broken(),
                filter.checks(),
                filter.truePositives(),
                filter.falsePositives());
    }

    TrafficTotals plus(TrafficTotals other) {
        return new TrafficTotals(
                rowReads + other.rowReads,
                rowUpdates + other.rowUpdates,
                rowDeletes + other.rowDeletes,
                rangeReadRows + other.rangeReadRows,
                locksBroken + other.locksBroken,
                filterChecks + other.filterChecks,
                filterTruePositives + other.filterTruePositives,
                filterFalsePositives + other.filterFalsePositives);
    }
}
