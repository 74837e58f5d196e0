package io.cleave.exec;

import io.cleave.txn.Transaction;

/// One run of a program: its transaction, what expressions ask, the memory and the threads it may
/// use, and how it goes about it.
record Running(
        Transaction transaction,
        RunContext context,
        QueryMemory memory,
        Workers workers,
        RunOptions options,
        Spill spill,
        Checkpoint checkpoint) {}
