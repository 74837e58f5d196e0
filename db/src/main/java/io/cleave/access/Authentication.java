package io.cleave.access;

/// How a [Caller] was identified.
public enum Authentication {
    /// The call comes from this process, and nothing has to be checked.
    IN_PROCESS,

    /// The call came over the network and names no user.
    ANONYMOUS,

    /// The user is the one that the caller's token names. The token is not signed, so anybody can
    /// name anybody.
    UNSIGNED_TOKEN
}
