package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.cleave.log.DurableEnd;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;
import io.cleave.log.TrimmedException;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A log as a list of ledgers that is kept in ZooKeeper: see `docs/bookkeeper.md`.
///
/// Any number of processes may read the log; at most one has a writer that can append.
/// `segmentBytes` of the options is the size at which a new ledger begins.
///
/// While this process writes the log, it knows exactly how far the log is durable. Otherwise it
/// asks the bookies: at each call, or with a following thread once someone waits.
///
/// Threads: any.
public final class BookKeeperLog implements Log {
    private final Env env;
    private final LogOptions options;
    private final Consumer<Throwable> fatal;
    private final LedgerChain chain;
    private final LedgerTail tail;
    private final DurableEnd durable;

    /// Held while a writer takes over from another.
    private final ReentrantLock opening = new ReentrantLock();

    /// Held while the durable end of the log is updated.
    private final ReentrantLock noting = new ReentrantLock();

    private volatile LedgerFrontier frontier = LedgerFrontier.EMPTY;

    /// Written under `opening`.
    private volatile @Nullable BookKeeperLogWriter writer;

    /// `path` is a node in ZooKeeper. `fatal` is called when a writer can append no more. If
    /// another process has opened the log, it gets a [io.cleave.log.FencedException].
    public BookKeeperLog(
            CuratorFramework zooKeeper,
            BookKeeper client,
            BookKeeperSettings settings,
            String path,
            Env env,
            LogOptions options,
            Consumer<Throwable> fatal) {
        this.env = env;
        this.options = options;
        this.fatal = fatal;
        chain = new LedgerChain(new LedgerListNode(zooKeeper, path), new Ledgers(client, settings));
        durable = new DurableEnd(env);
        tail = new LedgerTail(env, chain, this::note, () -> !isWriting());
    }

    @Override
    public String name() {
        return chain.name();
    }

    LedgerChain chain() {
        return chain;
    }

    @Override
    public LogWriter openWriter() {
        opening.lock();
        try {
            BookKeeperLogWriter before = writer;
            if (before != null) {
                before.fence();
            }
            LedgerChain.Head head = chain.claim();
            note(new LedgerFrontier(head.ledger().getId(), LedgerFrontier.NO_ENTRY, head.from()));
            var opened = new BookKeeperLogWriter(env, chain, head, options, this::note, fatal);
            writer = opened;
            return opened.start();
        } finally {
            opening.unlock();
        }
    }

    /// The log is durable up to `reached`. Two threads may report this when a writer has just
    /// ended.
    private void note(LedgerFrontier reached) {
        noting.lock();
        try {
            if (reached.end() >= frontier.end()) {
                frontier = reached;
                durable.moveTo(reached.end());
            }
        } finally {
            noting.unlock();
        }
    }

    private boolean isWriting() {
        BookKeeperLogWriter present = writer;
        return present != null && present.isAlive();
    }

    /// How far the log may be read now.
    LedgerFrontier frontier() {
        if (!isWriting() && !tail.isFollowing()) {
            tail.look();
        }
        return frontier;
    }

    /// Recently read entries, which need not be read again.
    RecentEntries recent() {
        return tail.recent();
    }

    @Override
    public LogCursor read(long from) {
        long first = firstPosition();
        if (from < first) {
            throw new TrimmedException(from, first);
        }
        return new BookKeeperLogCursor(this, from);
    }

    @Override
    public boolean awaitDurable(long position, Duration timeout) throws InterruptedException {
        if (durable.position() <= position && !isWriting()) {
            if (!tail.isFollowing()) {
                tail.look();
            }
            tail.follow();
        }
        return durable.await(position, timeout);
    }

    @Override
    public void trim(long before) {
        BookKeeperLogWriter present = writer;
        chain.trim(before, Optional.ofNullable(present).map(BookKeeperLogWriter::epoch));
    }

    @Override
    public long firstPosition() {
        return (isWriting() ? chain.list() : chain.refresh()).firstPosition();
    }

    @Override
    public long nextPosition() {
        return frontier().end();
    }

    @Override
    public void close() {
        opening.lock();
        try {
            BookKeeperLogWriter present = writer;
            if (present != null) {
                present.close();
            }
            tail.close();
        } finally {
            opening.unlock();
        }
    }
}
