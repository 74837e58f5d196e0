package io.cleave.yt;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Keeps the answers to changes that have a mutation id. A client that did not get its answer
/// repeats the request with the same id and `retry=%true`. The repeated request gets the first
/// answer, and the change is not made again. As in YTsaurus, the repeated request must name the
/// same command, but its other parameters are ignored.
///
/// An answer is kept for [#KEPT]. The number of answers is limited to [#MAX_ANSWERS], and their
/// size is limited too. One host may use half of each limit, so it cannot evict the answers of all
/// other hosts. An error is not kept if the same request may succeed later.
///
/// Threads: any.
final class MutationCache {
    /// Clients repeat a request for up to ten minutes.
    static final Duration KEPT = Duration.ofMinutes(10);

    static final int MAX_ANSWERS = 50_000;

    private static final long MAX_BYTES = 16L << 20;
    private static final int POOL_PARTS = 8;

    /// The approximate memory of an entry, without the bytes of its answer.
    private static final int ENTRY_BYTES = 200;

    private static final Duration CHECK = Duration.ofMillis(100);

    private final Env env;
    private final MemoryPool pool;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition finished = lock.newCondition();

    /// Finished calls are in the order in which they finished. A call in progress has no answer
    /// yet.
    @GuardedBy("lock")
    private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<String, Share> shares = new HashMap<>();

    @GuardedBy("lock")
    private final Share total = new Share();

    MutationCache(Env env, MemoryPool pool) {
        this.env = env;
        this.pool = pool;
        this.maxBytes = Math.min(MAX_BYTES, pool.limitBytes() / POOL_PARTS);
    }

    /// A mutation id is valid for one caller only, so no caller can see answers of another.
    private record Key(Caller.Peer peer, String mutationId) {}

    private record Outcome(@Nullable Bytes answer, @Nullable YtError error) {}

    private static final class Entry {
        private final String command;
        private @Nullable Outcome outcome;
        private long bytes;
        private long finishedNanos;

        Entry(String command) {
            this.command = command;
        }
    }

    /// The part of the cache that one host uses, or all hosts together.
    private static final class Share {
        private int answers;
        private long bytes;
    }

    /// Runs the change, or returns the answer of an earlier run. The change returns its answer or
    /// throws a [YtException].
    YsonNode once(
            Caller caller,
            String command,
            String mutationId,
            boolean isRetry,
            Cancellation cancellation,
            Supplier<YsonNode> change) {
        var key = new Key(caller.peer(), mutationId);
        Optional<Outcome> known = begin(key, command, isRetry, cancellation);
        if (known.isPresent()) {
            return answer(known.get());
        }
        Outcome outcome = null;
        try {
            YsonNode answer = change.get();
            outcome = new Outcome(YsonWriter.write(answer, YsonWriter.Format.BINARY), null);
            return answer;
        } catch (YtException e) {
            if (!StatusErrors.isTransient(e.error())) {
                outcome = new Outcome(null, e.error());
            }
            throw e;
        } finally {
            finish(key, outcome);
        }
    }

    private static YsonNode answer(Outcome outcome) {
        if (outcome.error() != null) {
            throw new YtException(outcome.error());
        }
        Bytes answer = outcome.answer();
        return YsonNode.parse(answer == null ? Bytes.EMPTY : answer).orElseThrow();
    }

    /// Marks the change as in progress. If the change was made before, returns its outcome. If it
    /// is in progress, waits for it.
    private Optional<Outcome> begin(
            Key key, String command, boolean isRetry, Cancellation cancellation) {
        lock.lock();
        try {
            while (true) {
                forgetOld();
                Entry entry = entries.get(key);
                if (entry == null) {
                    entries.put(key, new Entry(command));
                    return Optional.empty();
                }
                if (!entry.command.equals(command)) {
                    throw YtError.of(
                                    YtCodes.GENERIC,
                                    "The mutation id was used by the command \"%s\""
                                            .formatted(entry.command))
                            .with("mutation_id", key.mutationId())
                            .exception();
                }
                if (!isRetry) {
                    throw YtError.of(
                                    YtCodes.GENERIC, "Duplicate request is not marked as \"retry\"")
                            .with("mutation_id", key.mutationId())
                            .exception();
                }
                if (entry.outcome != null) {
                    return Optional.of(entry.outcome);
                }
                cancellation.check();
                env.await(finished, CHECK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new YtException(YtCodes.CANCELED, "interrupted");
        } finally {
            lock.unlock();
        }
    }

    private void finish(Key key, @Nullable Outcome outcome) {
        lock.lock();
        try {
            Entry entry = entries.remove(key);
            if (entry != null && outcome != null) {
                entry.outcome = outcome;
                entry.finishedNanos = env.nanoTime();
                entry.bytes = ENTRY_BYTES + key.mutationId().length() + bytes(outcome);
                keep(key, entry);
            }
            finished.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long bytes(Outcome outcome) {
        return outcome.answer() != null
                ? outcome.answer().length()
                : outcome.error() != null ? ErrorAnswer.json(outcome.error()).length() : 0;
    }

    @GuardedBy("lock")
    private void keep(Key key, Entry entry) {
        if (entry.bytes > maxBytes / 2) {
            return;
        }
        String host = key.peer().host();
        Share share = shares.computeIfAbsent(host, _ -> new Share());
        while (share.answers >= MAX_ANSWERS / 2 || share.bytes + entry.bytes > maxBytes / 2) {
            forgetFirst(host);
        }
        while (total.answers >= MAX_ANSWERS || total.bytes + entry.bytes > maxBytes) {
            forgetFirst(null);
        }
        if (!pool.tryTake(entry.bytes)) {
            dropShare(host);
            return;
        }
        Share kept = shares.computeIfAbsent(host, _ -> new Share());
        kept.answers++;
        kept.bytes += entry.bytes;
        total.answers++;
        total.bytes += entry.bytes;
        entries.put(key, entry);
    }

    @GuardedBy("lock")
    private void forgetOld() {
        long before = env.nanoTime() - KEPT.toNanos();
        while (total.answers > 0) {
            Map.Entry<Key, Entry> first = firstFinished(null);
            if (first == null || first.getValue().finishedNanos - before > 0) {
                return;
            }
            forget(first.getKey(), first.getValue());
        }
    }

    @GuardedBy("lock")
    private void forgetFirst(@Nullable String host) {
        Map.Entry<Key, Entry> first = firstFinished(host);
        if (first != null) {
            forget(first.getKey(), first.getValue());
        }
    }

    /// The entry that finished first, of one host or of all hosts. The loop is short, because few
    /// entries are in progress.
    @GuardedBy("lock")
    private Map.@Nullable Entry<Key, Entry> firstFinished(@Nullable String host) {
        for (Map.Entry<Key, Entry> each : entries.entrySet()) {
            boolean isOfHost = host == null || each.getKey().peer().host().equals(host);
            if (isOfHost && each.getValue().outcome != null) {
                return each;
            }
        }
        return null;
    }

    @GuardedBy("lock")
    private void forget(Key key, Entry entry) {
        entries.remove(key);
        total.answers--;
        total.bytes -= entry.bytes;
        String host = key.peer().host();
        Share share = shares.get(host);
        if (share != null) {
            share.answers--;
            share.bytes -= entry.bytes;
        }
        dropShare(host);
        pool.give(entry.bytes);
    }

    /// Removes the share of a host that has no answers.
    @GuardedBy("lock")
    private void dropShare(String host) {
        Share share = shares.get(host);
        if (share != null && share.answers == 0) {
            shares.remove(host);
        }
    }

    /// The number of answers that are kept.
    int answers() {
        lock.lock();
        try {
            return total.answers;
        } finally {
            lock.unlock();
        }
    }
}
