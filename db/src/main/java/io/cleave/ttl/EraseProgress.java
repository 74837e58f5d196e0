package io.cleave.ttl;

import io.cleave.tablet.Tablet;

/// Who is told how a run goes. Threads: those of the runs.
interface EraseProgress {
    /// So many rows were looked at, and so many of them erased; `dropped` of these with whole
    /// files, which were not read.
    void went(long processed, long erased, long dropped);

    /// All keys of a tablet have been gone over.
    void finished(Tablet tablet, long processed, long erased);
}
