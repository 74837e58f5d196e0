package io.cleave.sim;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// What happened in a run, or in many, counted. Threads: any.
public final class Totals {
    private final Map<String, Long> counts = new ConcurrentSkipListMap<>();

    public void count(String what) {
        add(what, 1);
    }

    void add(String what, long count) {
        counts.merge(what, count, Long::sum);
    }

    void add(Totals others) {
        others.counts.forEach(this::add);
    }

    public long get(String what) {
        return counts.getOrDefault(what, 0L);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
