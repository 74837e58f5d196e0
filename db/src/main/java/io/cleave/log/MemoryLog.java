package io.cleave.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A log in memory, for tests and for databases that need not outlive the process. The object takes
/// the place of the disk: to simulate a restart, keep it and create everything else again.
public final class MemoryLog extends GroupCommitLog {
    private final Env env;
    private final LogOptions options;
    private final Consumer<Throwable> fatal;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Bytes> records = new ArrayList<>();

    @GuardedBy("lock")
    private long firstPosition;

    @GuardedBy("opening")
    private long epoch;

    /// `fatal` is called if a completion throws, which is the only failure of this log.
    public MemoryLog(Env env, LogOptions options, Consumer<Throwable> fatal) {
        super(env);
        this.env = env;
        this.options = options;
        this.fatal = fatal;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    @GuardedBy("opening")
    GroupCommit newWriter(@Nullable GroupCommit earlier, long next) {
        epoch++;
        return new GroupCommit(env, new Appender(), epoch, next, options.queueBytes(), fatal);
    }

    @Override
    @GuardedBy("opening")
    void end(GroupCommit closed) {}

    private final class Appender implements Journal {
        @Override
        public void commit(long firstOfGroup, List<Bytes> group) {
            lock.lock();
            try {
                records.addAll(group);
            } finally {
                lock.unlock();
            }
            durable.moveTo(firstOfGroup + group.size());
        }

        @Override
        public boolean isUninterruptible() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Override
    public LogCursor read(long from) {
        if (from < firstPosition()) {
            throw new TrimmedException(from, firstPosition());
        }
        return new Cursor(from);
    }

    private @Nullable Bytes recordAt(long position) {
        lock.lock();
        try {
            if (position < firstPosition) {
                throw new TrimmedException(position, firstPosition);
            }
            int index = (int) (position - firstPosition);
            return index < records.size() ? records.get(index) : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void trim(long before) {
        lock.lock();
        try {
            int count = (int) Math.clamp(before - firstPosition, 0L, records.size());
            records.subList(0, count).clear();
            firstPosition += count;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long firstPosition() {
        lock.lock();
        try {
            return firstPosition;
        } finally {
            lock.unlock();
        }
    }

    private final class Cursor implements LogCursor {
        private long next;
        private Bytes record = Bytes.EMPTY;

        Cursor(long from) {
            next = from;
        }

        @Override
        public boolean next() {
            Bytes found = recordAt(next);
            if (found == null) {
                return false;
            }
            record = found;
            next++;
            return true;
        }

        @Override
        public long position() {
            return next - 1;
        }

        @Override
        public Bytes record() {
            return record;
        }

        @Override
        public void close() {}
    }
}
