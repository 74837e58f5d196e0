package io.cleave.balance.yt.reshard;

/// What asks for a reshard.
public enum Trigger {
    /// A round of the balancer: the switches of table and bundle apply.
    ROUND,
    /// A user's command: it does not look at the switches.
    COMMAND
}
