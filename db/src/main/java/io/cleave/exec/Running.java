package io.cleave.exec;

import io.cleave.exec.eval.RunContext;
import io.cleave.exec.spill.Checkpoint;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowList;
import io.cleave.exec.spill.Spill;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.memory.MemoryPool;
import io.cleave.txn.Transaction;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/// One run of a program: its transaction, the context of its expressions, its memory, the threads
/// it may use, and its options. Most runs are short, so what only long runs need is created when it
/// is first asked for.
///
/// Threads: the one that runs the query; `memory` may be called by any thread.
final class Running implements AutoCloseable {
    private static final AtomicReferenceFieldUpdater<Running, @Nullable QueryMemory> MEMORY =
            AtomicReferenceFieldUpdater.newUpdater(Running.class, QueryMemory.class, "memory");

    /// One run may have at most the pool's limit divided by this.
    private static final int RUN_PART = 2;

    private final Transaction transaction;
    private final RunContext context;
    private final Workers workers;
    private final RunOptions options;
    private final MemoryPool pool;
    private final @Nullable SpillFolder folder;
    private volatile @Nullable QueryMemory memory;
    private @Nullable Spill spill;

    /// The rows that parts of the plan keep, by the number of their nodes.
    private Map<Integer, RowList> kept = Map.of();

    /// Without a folder, a run that does not fit into memory fails.
    Running(
            Transaction transaction,
            RunContext context,
            Workers workers,
            RunOptions options,
            MemoryPool pool,
            @Nullable SpillFolder folder) {
        this.transaction = transaction;
        this.context = context;
        this.workers = workers;
        this.options = options;
        this.pool = pool;
        this.folder = folder;
        context.countIn(this::memory);
    }

    Transaction transaction() {
        return transaction;
    }

    RunContext context() {
        return context;
    }

    Checkpoint checkpoint() {
        return context.checkpoint();
    }

    Workers workers() {
        return workers;
    }

    RunOptions options() {
        return options;
    }

    /// The memory of the run, created by the first call.
    QueryMemory memory() {
        QueryMemory known = memory;
        if (known != null) {
            return known;
        }
        var made = new QueryMemory(memoryBytes(), pool, options.waits(), checkpoint()::check);
        if (MEMORY.compareAndSet(this, null, made)) {
            return made;
        }
        return Objects.requireNonNull(memory);
    }

    /// The spill files of the run, created by the first call.
    Spill spill() {
        Spill known = spill;
        if (known == null) {
            known = new Spill(folder, memory(), checkpoint());
            spill = known;
        }
        return known;
    }

    /// A new list for the rows of the node with this number.
    RowList keep(int number) {
        if (kept.isEmpty()) {
            kept = new HashMap<>();
        }
        var list = new RowList(spill(), 1);
        kept.put(number, list);
        return list;
    }

    /// The rows of the node with this number.
    RowList kept(int number) {
        return Objects.requireNonNull(kept.get(number));
    }

    /// The limit of the run, which is at most a fixed part of the pool.
    private long memoryBytes() {
        return Math.min(options.memoryBytes(), pool.limitBytes() / RUN_PART);
    }

    /// Removes the remaining files and gives the memory back.
    @Override
    public void close() {
        try {
            if (spill != null) {
                spill.close();
            }
        } finally {
            if (memory != null) {
                memory.close();
            }
        }
    }
}
