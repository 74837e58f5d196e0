package io.cleave.tablet.record;

/// The outcome of a multi-cell transaction.
public sealed interface CommitDecision {
    /// Committed at this timestamp; this is final.
    record Commit(long timestamp) implements CommitDecision {}

    /// Not committed; this is final.
    record Abort() implements CommitDecision {}

    /// The asked cell does not know the transaction. It was never prepared there, was aborted, or
    /// was committed and then forgotten after all participants had confirmed. A participant in
    /// which the transaction is prepared treats this as an abort, because its coordinator does not
    /// forget a commit that the participant has not confirmed.
    record Unknown() implements CommitDecision {}
}
