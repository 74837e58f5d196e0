package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.log.Completion;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// A log whose writer can be made to stall: it takes records, and says nothing of them until it is
/// closed.
final class StallingLog implements Log {
    private final Log log;
    private final List<Completion> held = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean isHolding;
    private volatile boolean isTold;
    private volatile boolean isClosed;

    StallingLog(Log log) {
        this.log = log;
    }

    /// From now on.
    void hold() {
        isHolding = true;
    }

    int heldRecords() {
        return held.size();
    }

    /// It has taken unusually long by now.
    void tell() {
        isTold = true;
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!isClosed) {
                                listeners.forEach(listener -> listener.accept("held by a test"));
                                Thread.onSpinWait();
                            }
                        });
    }

    @Override
    public LogWriter openWriter() {
        return new Writer(log.openWriter());
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
            if (!isHolding) {
                return writer.append(record, completion);
            }
            long position = nextPosition();
            held.add(completion);
            return position;
        }

        @Override
        public boolean hasRoom(int recordBytes) {
            return writer.hasRoom(recordBytes);
        }

        @Override
        public long appendAwaited(Bytes record, Completion completion) {
            return append(record, completion);
        }

        @Override
        public void help() {
            if (!isHolding) {
                writer.help();
            }
        }

        @Override
        public Optional<String> stall() {
            return isTold ? Optional.of("held by a test") : Optional.empty();
        }

        @Override
        public void whileStalled(Consumer<String> listener) {
            listeners.add(listener);
        }

        @Override
        public void checkNotFenced() {
            writer.checkNotFenced();
        }

        @Override
        public long nextPosition() {
            return writer.nextPosition() + held.size();
        }

        @Override
        public void close() {
            isClosed = true;
            held.forEach(
                    completion -> completion.completed(-1, new LogException("given up", null)));
            held.clear();
            writer.close();
        }
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
    public String name() {
        return log.name();
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
}
