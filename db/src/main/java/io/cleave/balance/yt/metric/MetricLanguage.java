package io.cleave.balance.yt.metric;

/// Compiles the expressions of metrics. Users write them, so they are bounded: no expression may be
/// long, and none may take long for a tablet.
public interface MetricLanguage {
    /// Throws a `YtException` if the text is no expression over [MetricColumn]s, is too long, or
    /// has no number as its result.
    TabletMetric compile(String text);
}
