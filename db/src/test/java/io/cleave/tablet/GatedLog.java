package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.ForwardingLog;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;

import java.time.Duration;

/// A log whose readers can be held up, as if they were on a slow machine, or fail.
final class GatedLog extends ForwardingLog {
    private volatile boolean shut;
    private volatile boolean broken;

    private final Env env;

    GatedLog(Log log, Env env) {
        super(log);
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
}
