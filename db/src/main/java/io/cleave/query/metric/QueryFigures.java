package io.cleave.query.metric;

/// Sums, minimums and maximums of the costs of several runs. Threads: one at a time.
public final class QueryFigures {
    /// One figure of several runs.
    public static final class Figure {
        private long sum;
        private long least = Long.MAX_VALUE;
        private long most;

        private void add(long figure) {
            sum += figure;
            if (figure < least) {
                least = figure;
            }
            if (figure > most) {
                most = figure;
            }
        }

        private void add(Figure other) {
            sum += other.sum;
            least = Math.min(least, other.least);
            most = Math.max(most, other.most);
        }

        public long sum() {
            return sum;
        }

        /// 0 if there were no values.
        public long least() {
            return least == Long.MAX_VALUE ? 0 : least;
        }

        public long most() {
            return most;
        }
    }

    private long runs;
    private long writes;
    private final Figure duration = new Figure();
    private final Figure work = new Figure();
    private final Figure readRows = new Figure();
    private final Figure readBytes = new Figure();

    // Only of runs that wrote something.
    private final Figure updatedRows = new Figure();
    private final Figure updatedBytes = new Figure();
    private final Figure erasedRows = new Figure();

    /// Adds a run that took `durationMicros`.
    void add(MeteredRun run, long durationMicros) {
        runs++;
        duration.add(durationMicros);
        work.add(run.micros());
        long rows = 0;
        long updated = 0;
        long erased = 0;
        for (TableAccess access : run.accesses()) {
            rows += access.readRows();
            updated += access.updatedRows();
            erased += access.erasedRows();
        }
        readRows.add(rows);
        readBytes.add(run.readBytes());
        if ((updated | erased) != 0) {
            writes++;
            updatedRows.add(updated);
            erasedRows.add(erased);
            updatedBytes.add(run.accesses().stream().mapToLong(TableAccess::updatedBytes).sum());
        }
    }

    void add(QueryFigures other) {
        runs += other.runs;
        writes += other.writes;
        duration.add(other.duration);
        work.add(other.work);
        readRows.add(other.readRows);
        readBytes.add(other.readBytes);
        updatedRows.add(other.updatedRows);
        updatedBytes.add(other.updatedBytes);
        erasedRows.add(other.erasedRows);
    }

    public long runs() {
        return runs;
    }

    public Figure duration() {
        return duration;
    }

    public Figure work() {
        return work;
    }

    public Figure readRows() {
        return readRows;
    }

    public Figure readBytes() {
        return readBytes;
    }

    public Figure updatedRows() {
        return ofAll(updatedRows);
    }

    public Figure updatedBytes() {
        return ofAll(updatedBytes);
    }

    public Figure erasedRows() {
        return ofAll(erasedRows);
    }

    /// Includes runs that wrote nothing, which count as 0.
    private Figure ofAll(Figure ofWrites) {
        if (writes == runs) {
            return ofWrites;
        }
        var all = new Figure();
        all.add(ofWrites);
        all.least = 0;
        return all;
    }
}
