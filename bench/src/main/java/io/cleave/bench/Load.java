package io.cleave.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// A number of clients, each of which asks again as soon as it has its answer.
final class Load {
    /// Latencies kept of each client, evenly chosen; the rest only count.
    private static final int SAMPLES = 4_096;

    private final ServerProcess server;
    private final int clientCount;

    Load(ServerProcess server, int clientCount) {
        this.server = server;
        this.clientCount = clientCount;
    }

    /// One request and its answer. It throws if the answer is not the expected one.
    interface Client extends AutoCloseable {
        void ask(RandomGenerator random);

        @Override
        void close();
    }

    interface Clients {
        Client open(int clientIndex);
    }

    /// What was done within the measured time.
    record Measured(double perSecond, double serverCpuMicros, double p50Micros, double p99Micros) {}

    /// Warms up for a third of the time before it measures.
    Measured run(Clients clients, Duration time) throws InterruptedException, ExecutionException {
        ask(clients, time.dividedBy(3));
        Duration cpuBefore = server.cpuTime();
        long from = System.nanoTime();
        List<Tally> tallies = ask(clients, time);
        double seconds = (System.nanoTime() - from) / 1e9;
        double cpuMicros = server.cpuTime().minus(cpuBefore).toNanos() / 1e3;
        long asked = tallies.stream().mapToLong(Tally::asked).sum();
        long[] latencies =
                tallies.stream().flatMapToLong(t -> Arrays.stream(t.nanos())).sorted().toArray();
        return new Measured(
                asked / seconds,
                cpuMicros / asked,
                latencies[latencies.length / 2] / 1e3,
                latencies[(int) (latencies.length * 0.99)] / 1e3);
    }

    private List<Tally> ask(Clients clients, Duration time)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long until = System.nanoTime() + time.toNanos();
            List<Future<Tally>> running = new ArrayList<>();
            for (int index = 0; index < clientCount; index++) {
                int clientIndex = index;
                running.add(threads.submit(() -> askUntil(clients, clientIndex, until)));
            }
            List<Tally> tallies = new ArrayList<>();
            for (Future<Tally> tally : running) {
                tallies.add(tally.get());
            }
            return tallies;
        }
    }

    private static Tally askUntil(Clients clients, int clientIndex, long until) {
        RandomGenerator random = ThreadLocalRandom.current();
        long[] samples = new long[SAMPLES];
        long asked = 0;
        try (Client client = clients.open(clientIndex)) {
            long now = System.nanoTime();
            while (now < until) {
                client.ask(random);
                long answered = System.nanoTime();
                long slot = asked < SAMPLES ? asked : random.nextLong(asked + 1);
                if (slot < SAMPLES) {
                    samples[(int) slot] = answered - now;
                }
                asked++;
                now = answered;
            }
        }
        return new Tally(asked, Arrays.copyOf(samples, (int) Math.min(asked, SAMPLES)));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over once, to be read
    private record Tally(long asked, long[] nanos) {}
}
