package io.cleave.bench.storage;

import io.cleave.bench.Folders;
import io.cleave.bench.storage.Engine.Committer;
import io.cleave.bench.storage.Results.Measured;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/// Commits of one row each, every one durable before its writer makes the next.
final class CommitRun {
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final int MANY_WRITERS = 64;

    private final List<Engine> engines;
    private final Path dir;
    private final PrintStream out;

    /// The next row number. All engines share the counter, which does not matter.
    private final AtomicLong nextRow = new AtomicLong();

    CommitRun(List<Engine> engines, Path dir, PrintStream out) {
        this.engines = engines;
        this.dir = dir;
        this.out = out;
    }

    private record Round(double perSecond, double cpuMicros, double perSync) {}

    void run(Results results) throws Exception {
        Map<Engine, Committer> committers = new LinkedHashMap<>();
        try {
            for (Engine engine : engines) {
                if (engine.can(Work.COMMITS_1)) {
                    Path fresh = dir.resolve(engine.name() + "-commits");
                    Folders.delete(fresh);
                    committers.put(engine, engine.openCommitter(fresh));
                }
            }
            for (Work work : List.of(Work.COMMITS_1, Work.COMMITS_1_VIRTUAL, Work.COMMITS_64)) {
                measure(work, committers, results);
            }
        } finally {
            for (Map.Entry<Engine, Committer> entry : committers.entrySet()) {
                entry.getValue().close();
                Folders.delete(dir.resolve(entry.getKey().name() + "-commits"));
            }
        }
    }

    private void measure(Work work, Map<Engine, Committer> committers, Results results)
            throws Exception {
        Map<Engine, List<Round>> rounds = new LinkedHashMap<>();
        // The first round is for the compiler.
        for (int number = 0; number <= ROUNDS; number++) {
            for (Map.Entry<Engine, Committer> entry : committers.entrySet()) {
                if (!entry.getKey().can(work)) {
                    continue;
                }
                Round round = commit(entry.getValue(), work);
                if (number > 0) {
                    rounds.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(round);
                }
            }
        }
        rounds.forEach(
                (engine, all) -> {
                    all.sort(Comparator.comparingDouble(Round::perSecond));
                    Round median = all.get(all.size() / 2);
                    String note = String.format(Locale.ROOT, "%.1f a sync", median.perSync());
                    var measured = new Measured(median.perSecond(), median.cpuMicros(), note);
                    results.put(work, engine.name(), measured);
                    out.printf(
                            "%-8s %-50s %s %s%n",
                            engine.name(), work.title, BarsTable.figure(measured), work.unit.text);
                });
    }

    private Round commit(Committer committer, Work work) throws Exception {
        // A single writer has the same kind of thread in all engines.
        ThreadFactory threads =
                work == Work.COMMITS_1 ? Thread.ofPlatform().factory() : committer.threads();
        int writers = work == Work.COMMITS_64 ? MANY_WRITERS : 1;
        long syncs = committer.syncs();
        Spent.Of<Long> done = Spent.on(() -> commitFor(committer, writers, threads));
        long commits = done.result();
        return new Round(
                commits / (done.spent().wallNanos() / 1e9),
                done.spent().cpuMicros(commits),
                (double) commits / (committer.syncs() - syncs));
    }

    private long commitFor(Committer committer, int writers, ThreadFactory factory)
            throws Exception {
        long until = System.nanoTime() + ROUND.toNanos();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(factory)) {
            List<Future<Long>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                running.add(threads.submit(() -> commitUntil(committer, until)));
            }
            long commits = 0;
            for (Future<Long> writer : running) {
                commits += writer.get();
            }
            return commits;
        }
    }

    private long commitUntil(Committer committer, long until) throws Exception {
        long commits = 0;
        while (System.nanoTime() < until) {
            long row = nextRow.getAndIncrement();
            committer.commit(Rows.key(row), Rows.value(row));
            commits++;
        }
        return commits;
    }
}
