package io.cleave.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// A log with a [GroupCommit] as its writer. There is at most one writer: a new one fences the one
/// before it.
abstract class GroupCommitLog implements Log {
    /// Held while a writer replaces another, and while the log is closed.
    final ReentrantLock opening = new ReentrantLock();

    final DurableEnd durable;

    @GuardedBy("opening")
    private @Nullable GroupCommit writer;

    GroupCommitLog(Env env) {
        durable = new DurableEnd(env);
    }

    @Override
    public final LogWriter openWriter() {
        opening.lock();
        try {
            if (writer != null) {
                writer.fence();
            }
            GroupCommit opened = newWriter(writer, durable.position());
            writer = opened;
            return opened.start();
        } finally {
            opening.unlock();
        }
    }

    /// A writer with a new epoch, whose first record gets the position `next`. Throws if the writer
    /// before it, which is fenced by now, has failed.
    @GuardedBy("opening")
    abstract GroupCommit newWriter(@Nullable GroupCommit earlier, long next);

    @Override
    public final long nextPosition() {
        return durable.position();
    }

    @Override
    public final boolean awaitDurable(long position, Duration timeout) throws InterruptedException {
        return durable.await(position, timeout);
    }

    @Override
    public final void close() {
        opening.lock();
        try {
            if (writer != null) {
                writer.close();
                end(writer);
            }
        } finally {
            opening.unlock();
        }
    }

    /// Called when the log is closed, after its writer.
    @GuardedBy("opening")
    abstract void end(GroupCommit closed);
}
