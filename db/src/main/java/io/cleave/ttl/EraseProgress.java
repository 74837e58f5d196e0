package io.cleave.ttl;

/// Receives the progress of a run, and can stop it. Threads: those of the runs.
interface EraseProgress {
    /// Called when rows were examined (`processed`) and some of them erased. `dropped` of the
    /// erased rows were in whole files that were not read.
    void went(long processed, long erased, long dropped);

    /// Called when all keys of a tablet were visited.
    void finished(long tabletId, long processed, long erased);

    /// Whether the run should end early.
    boolean isStopped();
}
