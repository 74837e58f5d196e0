package io.cleave.control.action;

import io.cleave.catalog.ActionRows;
import io.cleave.cluster.TabletInfo;

import java.util.List;

/// The log of decisions, as far as actions need it. `control` implements it.
///
/// Threads: any.
public interface ActionDecisions {
    /// Stores rows of actions together with the decisions that are not stored yet, in one commit.
    /// Throws UNAVAILABLE if the catalog takes no writes.
    void save(ActionRows.Change change);

    /// Notes that an action has ended. The next [#save] stores the end of its decision, if it
    /// follows from one.
    ///
    /// @param tablets that the change has made, in key order; none if it failed
    void ended(TabletAction action, long tookMicros, List<TabletInfo> tablets);
}
