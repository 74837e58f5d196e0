package io.cleave.exec;

import io.cleave.txn.Transaction;

/// One run of a program: its transaction, what expressions ask, and the memory it may use.
record Running(Transaction transaction, RunContext context, QueryMemory memory) {}
