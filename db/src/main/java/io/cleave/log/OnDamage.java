package io.cleave.log;

/// What opening a log does with damage in it. A torn tail is cut in any case.
public enum OnDamage {
    /// The log does not open, and is left as it is.
    REFUSE,
    /// Holes take the place of records that cannot be read: [LogSalvage].
    ACCEPT_LOSS,
    /// As `REFUSE`; and nothing is kept of what is cut, for whoever looks only and writes nothing.
    LOOK
}
