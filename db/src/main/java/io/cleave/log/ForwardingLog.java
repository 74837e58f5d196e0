package io.cleave.log;

import io.cleave.base.Bytes;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Passes every call on to another log. Tests and benchmarks override what they change or count.
public abstract class ForwardingLog implements Log {
    protected final Log log;

    protected ForwardingLog(Log log) {
        this.log = log;
    }

    @Override
    public String name() {
        return log.name();
    }

    @Override
    public LogWriter openWriter() {
        return log.openWriter();
    }

    @Override
    public List<LogLoss> losses() {
        return log.losses();
    }

    @Override
    public void settleLosses() {
        log.settleLosses();
    }

    @Override
    public LogCursor read(long from) {
        return log.read(from);
    }

    @Override
    public boolean awaitDurable(long position, Duration timeout) throws InterruptedException {
        return log.awaitDurable(position, timeout);
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
    public void close() {
        log.close();
    }

    /// Passes every call on to another writer.
    public abstract static class Writer implements LogWriter {
        protected final LogWriter writer;

        protected Writer(LogWriter writer) {
            this.writer = writer;
        }

        @Override
        public long epoch() {
            return writer.epoch();
        }

        @Override
        public long append(Bytes record, Completion completion) {
            return writer.append(record, completion);
        }

        @Override
        public boolean hasRoom(int recordBytes) {
            return writer.hasRoom(recordBytes);
        }

        @Override
        public long appendAwaited(Bytes record, Completion completion) {
            return writer.appendAwaited(record, completion);
        }

        @Override
        public void help() {
            writer.help();
        }

        @Override
        public Optional<String> stall() {
            return writer.stall();
        }

        @Override
        public void whileStalled(Consumer<String> listener) {
            writer.whileStalled(listener);
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
