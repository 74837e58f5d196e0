package io.cleave.memory;

import io.cleave.base.Env;

import java.util.List;
import java.util.stream.Stream;

/// Divides the heap into pools, one for each kind of memory that grows with the number of clients.
/// The sizes are fixed at startup. The rest of the heap is for memory that does not grow with
/// clients: code, the catalog, the indexes of open table files, and free space for the garbage
/// collector.
///
/// | pool         | percent of the heap | holds |
/// |--------------|--------------------:|-------|
/// | memtables    | 20, at most 384 MiB | rows that are not in files yet |
/// | cache        | 20 | blocks of table files, and families that are kept in memory |
/// | runs         | 16 | rows that sorts, groups, joins, windows and lists keep; texts while they are compiled |
/// | requests     | 10 | open calls with their headers; messages that arrive, are unpacked, are parsed, and wait for their handler |
/// | transactions |  8 | effects and locks of open transactions |
/// | results      |  6 | parts of results that clients have not taken, and what they have not read of their connections |
/// | plans        |  4 | compiled and prepared queries |
/// | sessions     |  2 | open sessions |
///
/// Threads: any.
public final class MemoryBudget {
    /// Limit of the pool for memtables, however large the heap is. Larger memtables would not make
    /// writes cheaper, because a restart reads back everything that is only in memtables.
    public static final long MOST_MEMTABLE_BYTES = 384L << 20;

    private static final int MEMTABLES_PERCENT = 20;
    private static final int CACHE_PERCENT = 20;
    private static final int RUNS_PERCENT = 16;
    private static final int REQUESTS_PERCENT = 10;
    private static final int TRANSACTIONS_PERCENT = 8;
    private static final int RESULTS_PERCENT = 6;
    private static final int PLANS_PERCENT = 4;
    private static final int SESSIONS_PERCENT = 2;

    private final long heapBytes;
    private final MemoryPool memtables;
    private final MemoryPool cache;
    private final MemoryPool runs;
    private final MemoryPool requests;
    private final MemoryPool transactions;
    private final MemoryPool results;
    private final MemoryPool plans;
    private final MemoryPool sessions;

    /// Divides a heap of `heapBytes` bytes.
    public MemoryBudget(long heapBytes, Env env) {
        this.heapBytes = heapBytes;
        long memtableBytes = Math.min(share(MEMTABLES_PERCENT), MOST_MEMTABLE_BYTES);
        memtables = new MemoryPool("memtables", memtableBytes, env);
        cache = pool("cache", CACHE_PERCENT, env);
        runs = pool("runs", RUNS_PERCENT, env);
        requests = pool("requests", REQUESTS_PERCENT, env);
        transactions = pool("transactions", TRANSACTIONS_PERCENT, env);
        results = pool("results", RESULTS_PERCENT, env);
        plans = pool("plans", PLANS_PERCENT, env);
        sessions = pool("sessions", SESSIONS_PERCENT, env);
    }

    /// Divides the maximum heap of this process.
    public static MemoryBudget ofThisProcess(Env env) {
        return new MemoryBudget(Runtime.getRuntime().maxMemory(), env);
    }

    private MemoryPool pool(String name, int percent, Env env) {
        return new MemoryPool(name, share(percent), env);
    }

    private long share(int percent) {
        return Math.max(1, heapBytes / 100 * percent);
    }

    public long heapBytes() {
        return heapBytes;
    }

    /// Rows that are not in files yet.
    public MemoryPool memtables() {
        return memtables;
    }

    /// Blocks of table files, and families that are kept in memory.
    public MemoryPool cache() {
        return cache;
    }

    /// Rows that sorts, groups, joins, windows and lists keep, and texts while they are compiled.
    public MemoryPool runs() {
        return runs;
    }

    /// Open calls with their headers, and messages that arrive, are unpacked, are parsed, and wait
    /// for their handler.
    public MemoryPool requests() {
        return requests;
    }

    /// Effects and locks of open transactions.
    public MemoryPool transactions() {
        return transactions;
    }

    /// Parts of results that clients have not taken, and data that they have not read from their
    /// connections.
    public MemoryPool results() {
        return results;
    }

    /// Compiled and prepared queries.
    public MemoryPool plans() {
        return plans;
    }

    /// Open sessions.
    public MemoryPool sessions() {
        return sessions;
    }

    /// The figures of the pool with this name.
    public MemoryPool.Figures figures(String name) {
        return figures().stream()
                .filter(pool -> pool.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no pool " + name));
    }

    /// The figures of all pools, the largest share first.
    public List<MemoryPool.Figures> figures() {
        return Stream.of(memtables, cache, runs, requests, transactions, results, plans, sessions)
                .map(MemoryPool::figures)
                .toList();
    }
}
