package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.log.Completion;
import io.cleave.log.ForwardingLog;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// A log whose writer can be made to stall: it takes records, and says nothing of them until it is
/// closed.
final class StallingLog extends ForwardingLog {
    private final List<Completion> held = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean isHolding;
    private volatile boolean isTold;
    private volatile boolean isClosed;

    StallingLog(Log log) {
        super(log);
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
        return new StallingWriter(log.openWriter());
    }

    private final class StallingWriter extends Writer {
        StallingWriter(LogWriter writer) {
            super(writer);
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
}
