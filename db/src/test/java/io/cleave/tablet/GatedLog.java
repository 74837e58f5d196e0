package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogWriter;

import java.time.Duration;

/// A log whose readers can be held up, as if they were on a slow machine, or fail.
final class GatedLog implements Log {
    private final Log log;
    private volatile boolean shut;
    private volatile boolean broken;

    private final Env env;

    GatedLog(Log log, Env env) {
        this.log = log;
        this.env = env;
    }

    void shut(boolean isShut) {
        shut = isShut;
    }

    /// Whoever reads on fails.
    void breakReading(boolean isBroken) {
        broken = isBroken;
    }

    @Override
    public LogCursor read(long from) {
        LogCursor cursor = log.read(from);
        return new LogCursor() {
            @Override
            public boolean next() {
                awaitOpen();
                if (broken) {
                    throw new IllegalStateException("broken by a test");
                }
                return cursor.next();
            }

            @Override
            public long position() {
                return cursor.position();
            }

            @Override
            public Bytes record() {
                return cursor.record();
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }

    private void awaitOpen() {
        try {
            while (shut) {
                env.sleep(Duration.ofMillis(1));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
    public LogWriter openWriter() {
        return log.openWriter();
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
