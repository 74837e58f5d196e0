package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.log.Completion;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogWriter;

import java.time.Duration;

/// Counts the syncs of a log. A log makes records durable in groups, with one sync for each group,
/// and completes all records of a group before it begins the next one. So each new end of the
/// durable part is one sync.
final class CountingLog implements Log {
    private final Log log;

    /// Written by completions, which the log calls one at a time.
    private volatile long syncs;

    private long durableTo;

    CountingLog(Log log) {
        this.log = log;
        durableTo = log.nextPosition();
    }

    long syncs() {
        return syncs;
    }

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public LogWriter openWriter() {
        return new Writer(log.openWriter());
    }

    @Override
    public LogCursor read(long from) {
        return log.read(from);
    }

    @Override
    public void trim(long before) {
        log.trim(before);
    }

    @Override
    public long firstPosition() {
        return log.firstPosition();
    }

    @Override
    public long nextPosition() {
        return log.nextPosition();
    }

    @Override
    public boolean awaitDurable(long position, Duration timeout) throws InterruptedException {
        return log.awaitDurable(position, timeout);
    }

    @Override
    public void close() {
        log.close();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one completion at a time
    private void countSync() {
        long next = log.nextPosition();
        if (next != durableTo) {
            durableTo = next;
            syncs++;
        }
    }

    private final class Writer implements LogWriter {
        private final LogWriter writer;

        Writer(LogWriter writer) {
            this.writer = writer;
        }

        @Override
        public long epoch() {
            return writer.epoch();
        }

        @Override
        public long append(Bytes record, Completion completion) {
            return writer.append(record, counting(completion));
        }

        @Override
        public boolean hasRoom(int recordBytes) {
            return writer.hasRoom(recordBytes);
        }

        @Override
        public long appendAwaited(Bytes record, Completion completion) {
            return writer.appendAwaited(record, counting(completion));
        }

        private Completion counting(Completion completion) {
            return (position, failure) -> {
                countSync();
                completion.completed(position, failure);
            };
        }

        @Override
        public void help() {
            writer.help();
        }

        @Override
        public void checkNotFenced() {
            writer.checkNotFenced();
        }

        @Override
        public long nextPosition() {
            return writer.nextPosition();
        }

        @Override
        public void close() {
            writer.close();
        }
    }
}
