package io.cleave.log;

/// What to do with damage when a log is opened. A torn tail is cut off in any case.
public enum OnDamage {
    /// The log is not opened, and is left unchanged.
    REFUSE,
    /// Records that cannot be read are replaced by holes: [LogSalvage].
    ACCEPT_LOSS,
    /// As `REFUSE`, for read-only access: no copy is kept of a torn tail.
    LOOK
}
