package io.cleave.query;

/// Sums and extremes of what several runs took. Threads: one at a time.
final class QueryFigures {
    /// Duration, time at work, rows and bytes read, rows and bytes updated, rows erased.
    static final int COUNT = 7;

    private long runs;
    private final long[] sums = new long[COUNT];
    private final long[] least = new long[COUNT];
    private final long[] most = new long[COUNT];

    void add(QueryUse use) {
        boolean first = runs++ == 0;
        for (int index = 0; index < COUNT; index++) {
            long figure = use.figure(index);
            sums[index] += figure;
            least[index] = first ? figure : Math.min(least[index], figure);
            most[index] = Math.max(most[index], figure);
        }
    }

    void add(QueryFigures other) {
        for (int index = 0; index < COUNT && other.runs > 0; index++) {
            sums[index] += other.sums[index];
            least[index] = runs == 0 ? other.least[index] : Math.min(least[index], other.least[index]);
            most[index] = Math.max(most[index], other.most[index]);
        }
        runs += other.runs;
    }

    long runs() {
        return runs;
    }

    long sum(int index) {
        return sums[index];
    }

    long least(int index) {
        return least[index];
    }

    long most(int index) {
        return most[index];
    }
}
