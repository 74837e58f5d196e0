package io.cleave.balance.yt.metric;

import io.cleave.balance.TabletState;

/// The load of a tablet by a compiled expression.
///
/// Threads: one at a time.
public interface TabletMetric {
    /// Throws a `YtException` if the expression has no value for this tablet.
    double of(TabletState tablet);

    /// Whether it goes by rates, which say little before they have been measured for some minutes.
    boolean hasRates();
}
