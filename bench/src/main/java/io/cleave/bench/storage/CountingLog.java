package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.log.Completion;
import io.cleave.log.ForwardingLog;
import io.cleave.log.Log;
import io.cleave.log.LogWriter;

/// Counts the syncs of a log. A log makes records durable in groups, with one sync for each group,
/// and completes all records of a group before it begins the next one. So each new end of the
/// durable part is one sync.
final class CountingLog extends ForwardingLog {
    /// Written by completions, which the log calls one at a time.
    private volatile long syncs;

    private long durableTo;

    CountingLog(Log log) {
        super(log);
        durableTo = log.nextPosition();
    }

    long syncs() {
        return syncs;
    }

    @Override
    public LogWriter openWriter() {
        return new CountingWriter(log.openWriter());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one completion at a time
    private void countSync() {
        long next = log.nextPosition();
        if (next != durableTo) {
            durableTo = next;
            syncs++;
        }
    }

    private final class CountingWriter extends Writer {
        CountingWriter(LogWriter writer) {
            super(writer);
        }

        @Override
        public long append(Bytes record, Completion completion) {
            return writer.append(record, counting(completion));
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
    }
}
