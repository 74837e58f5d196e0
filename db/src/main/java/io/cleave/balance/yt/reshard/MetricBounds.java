package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.TableSettings;

import java.util.List;

/// Bounds of size and load for tablets of a table balanced by a metric.
public record MetricBounds(
        double minBytes,
        double desiredBytes,
        double maxBytes,
        double minMetric,
        double desiredMetric,
        double maxMetric) {
    /// Those of a table that has a desired count or a desired metric.
    public static MetricBounds of(ReshardTable table) {
        double bytes = 0;
        double metric = 0;
        for (ReshardTablet tablet : table.tablets()) {
            bytes += tablet.bytes(table.inMemoryMode());
            metric += tablet.metric();
        }
        return of(table.settings(), bytes, metric);
    }

    /// The table has a desired count or a desired metric; the count comes first.
    static MetricBounds of(TableSettings settings, double tableBytes, double tableMetric) {
        double desiredMetric;
        double desiredBytes;
        if (settings.desiredTabletCount().isPresent()) {
            int count = settings.desiredTabletCount().getAsInt();
            desiredMetric = tableMetric / count;
            desiredBytes = tableBytes / count;
        } else {
            desiredMetric = settings.desiredTabletMetric().orElseThrow();
            desiredBytes = tableMetric == 0 ? tableBytes : desiredMetric * tableBytes / tableMetric;
        }
        desiredBytes = Math.floor(desiredBytes);
        // Without load no tablet has too little and none too much of it.
        boolean isIdle = tableMetric == 0 || desiredMetric == 0;
        double limit = isIdle ? 1 : desiredMetric;
        return new MetricBounds(
                Math.floor(desiredBytes / SizeBounds.TOLERANCE),
                desiredBytes,
                Math.floor(desiredBytes * SizeBounds.TOLERANCE),
                isIdle ? 0 : desiredMetric / SizeBounds.TOLERANCE,
                limit,
                limit * SizeBounds.TOLERANCE);
    }

    boolean isTooLarge(double bytes, double metric) {
        return bytes > maxBytes || metric > maxMetric;
    }

    private boolean isTooSmall(double bytes, double metric) {
        return !isTooLarge(bytes, metric) && (bytes < minBytes || metric < minMetric);
    }

    /// By how much a tablet with this much is above the bounds: the shares in bytes and in load.
    public double above(double bytes, double metric) {
        return Math.max(0, bytes - maxBytes) / Math.max(1, maxBytes)
                + Math.max(0, metric - maxMetric) / maxMetric;
    }

    boolean fits(double bytes, double metric) {
        return !isTooLarge(bytes, metric) && !isTooSmall(bytes, metric);
    }

    /// Whether a tablet with this much takes more from its neighbors.
    boolean wantsMore(double bytes, double metric) {
        return isTooSmall(bytes, metric) || (bytes < desiredBytes && metric < desiredMetric);
    }

    /// Into how many tablets one with this much is split.
    double pieces(double bytes, double metric) {
        double bySize = Math.ceil(bytes / Math.max(1, desiredBytes));
        return Math.max(1, Math.max(bySize, Math.ceil(metric / desiredMetric)));
    }

    List<Figure> figures(long bytes, double metric) {
        return List.of(
                Figure.bytes("size", bytes),
                Figure.bytes("min", (long) minBytes),
                Figure.bytes("max", (long) maxBytes),
                Figure.count("metric", metric),
                Figure.count("min metric", minMetric),
                Figure.count("max metric", maxMetric));
    }
}
