package io.cleave.sim;

import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What the server would print: an error in the log of a simulated server ends its run. Warnings
/// are no news where everything goes wrong.
final class Complaints extends Handler {
    /// Kept, because the JVM forgets the handlers of a logger nobody holds.
    private static final Logger LOGGER = Logger.getLogger("io.cleave");

    /// Of the run that a thread belongs to: the threads of a simulation have it from the one that
    /// runs it.
    private static final InheritableThreadLocal<Consumer<Throwable>> LISTENER =
            new InheritableThreadLocal<>();

    private Complaints() {}

    /// From now on errors on this thread, and on those it starts, are told to the listener.
    static void tell(Consumer<Throwable> listener) {
        Installed.once();
        LISTENER.set(listener);
    }

    /// Loaded once.
    private static final class Installed {
        static {
            LOGGER.addHandler(new Complaints());
        }

        static void once() {}
    }

    @Override
    public void publish(LogRecord record) {
        Consumer<Throwable> listener = LISTENER.get();
        if (listener != null && (isError(record) || tellsOfBug(record))) {
            listener.accept(new AssertionError(record.getMessage(), record.getThrown()));
        }
    }

    private static boolean isError(LogRecord record) {
        return record.getLevel().intValue() >= Level.SEVERE.intValue();
    }

    /// What fails for another reason than the disk's or a user's.
    private static boolean tellsOfBug(LogRecord record) {
        String text = record.getMessage() + record.getThrown();
        return text.contains("java.lang.") || text.contains("CorruptionException");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
