package io.cleave.bench.balance;

import io.cleave.bench.Samples;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/// Clients that read and write a table while something happens. Each one asks one thing after the
/// other and never retries: every answer counts as it is.
final class Clients {
    private Clients() {}

    /// Throws if the answer is an error.
    interface Client extends AutoCloseable {
        void read(RandomGenerator random) throws Exception;

        void write(RandomGenerator random) throws Exception;

        @Override
        void close() throws IOException;
    }

    interface Opening {
        Client open(int index) throws Exception;
    }

    interface Work {
        void run() throws Exception;
    }

    /// What the clients noticed.
    record Noticed(List<Samples> reads, List<Samples> writes, Map<String, Long> errors) {
        double read(int perMille) {
            return Samples.millisAt(reads, perMille);
        }

        double write(int perMille) {
            return Samples.millisAt(writes, perMille);
        }

        long failed() {
            return errors.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /// Runs clients for as long as the work takes, with a pause of `thinking` between two requests.
    /// One request in `writeOneIn` is a write.
    static Noticed during(int count, Duration thinking, int writeOneIn, Opening opening, Work work)
            throws Exception {
        var ended = new AtomicBoolean();
        var noticed = new Noticed(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<String, Long>>> running = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                var reads = new Samples();
                var writes = new Samples();
                noticed.reads.add(reads);
                noticed.writes.add(writes);
                int number = index;
                running.add(
                        threads.submit(
                                () -> {
                                    try (Client client = opening.open(number)) {
                                        return ask(
                                                client, thinking, writeOneIn, ended, reads, writes);
                                    }
                                }));
            }
            try {
                work.run();
            } finally {
                ended.set(true);
            }
            for (Future<Map<String, Long>> each : running) {
                each.get().forEach((what, times) -> noticed.errors.merge(what, times, Long::sum));
            }
        }
        return noticed;
    }

    private static Map<String, Long> ask(
            Client client,
            Duration thinking,
            int writeOneIn,
            AtomicBoolean ended,
            Samples reads,
            Samples writes)
            throws InterruptedException {
        Map<String, Long> errors = new TreeMap<>();
        RandomGenerator random = ThreadLocalRandom.current();
        while (!ended.get()) {
            Thread.sleep(thinking);
            boolean isWrite = random.nextInt(writeOneIn) == 0;
            long from = System.nanoTime();
            try {
                if (isWrite) {
                    client.write(random);
                } else {
                    client.read(random);
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                errors.merge(String.valueOf(e.getMessage()), 1L, Long::sum);
            }
            (isWrite ? writes : reads).add(System.nanoTime() - from);
        }
        return errors;
    }
}
