package io.cleave.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// The lines that one class logs while this is open.
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final SimpleFormatter formatter = new SimpleFormatter();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(Class<?> type) {
        var lines = new LogLines(Logger.getLogger(type.getName()));
        lines.logger.addHandler(lines);
        return lines;
    }

    /// In the order of logging, each with its level.
    public List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord record) {
        lines.add(record.getLevel() + " " + formatter.formatMessage(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
