package io.cleave.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// A number of clients. Each one sends its next request as soon as it has an answer.
public final class Load {
    /// Latencies kept for each client, as a uniform random sample. The others are only counted.
    private static final int SAMPLES = 4_096;

    private final Supplier<Duration> serverCpu;
    private final int clientCount;

    Load(ServerProcess server, int clientCount) {
        this(server::cpuTime, clientCount);
    }

    /// `serverCpu` returns the CPU time that the server has used so far.
    public Load(Supplier<Duration> serverCpu, int clientCount) {
        this.serverCpu = serverCpu;
        this.clientCount = clientCount;
    }

    /// Sends one request at a time. `ask` throws if the answer is not the expected one.
    public interface Client extends AutoCloseable {
        void ask(RandomGenerator random) throws Exception;

        @Override
        void close() throws SQLException;
    }

    public interface Clients {
        Client open(int clientIndex) throws Exception;
    }

    /// The results of the measured time.
    public record Measured(
            double perSecond, double serverCpuMicros, double p50Micros, double p99Micros) {}

    /// Opens the clients, and warms up for a third of the time before it measures.
    public Measured run(Clients clients, Duration time) throws Exception {
        List<Client> opened = new ArrayList<>();
        try {
            for (int index = 0; index < clientCount; index++) {
                opened.add(clients.open(index));
            }
            var _ = ask(opened, time.dividedBy(3));
            return measure(opened, time);
        } finally {
            for (Client client : opened) {
                client.close();
            }
        }
    }

    private Measured measure(List<Client> clients, Duration time)
            throws InterruptedException, ExecutionException {
        Duration cpuBefore = serverCpu.get();
        long from = System.nanoTime();
        List<Tally> tallies = ask(clients, time);
        double seconds = (System.nanoTime() - from) / 1e9;
        double cpuMicros = serverCpu.get().minus(cpuBefore).toNanos() / 1e3;
        long asked = tallies.stream().mapToLong(Tally::asked).sum();
        long[] latencies =
                tallies.stream().flatMapToLong(t -> Arrays.stream(t.nanos())).sorted().toArray();
        return new Measured(
                asked / seconds,
                cpuMicros / asked,
                latencies[latencies.length / 2] / 1e3,
                latencies[(int) (latencies.length * 0.99)] / 1e3);
    }

    private static List<Tally> ask(List<Client> clients, Duration time)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long until = System.nanoTime() + time.toNanos();
            List<Future<Tally>> running = new ArrayList<>();
            for (Client client : clients) {
                running.add(threads.submit(() -> askUntil(client, until)));
            }
            List<Tally> tallies = new ArrayList<>();
            for (Future<Tally> tally : running) {
                tallies.add(tally.get());
            }
            return tallies;
        }
    }

    private static Tally askUntil(Client client, long until) throws Exception {
        RandomGenerator random = ThreadLocalRandom.current();
        long[] samples = new long[SAMPLES];
        long asked = 0;
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
        return new Tally(asked, Arrays.copyOf(samples, (int) Math.min(asked, SAMPLES)));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over once, to be read
    private record Tally(long asked, long[] nanos) {}
}
