package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.sim.Totals;
import io.cleave.sim.workload.Bank;
import io.cleave.sim.workload.Client;
import io.cleave.sim.workload.Lists;
import io.cleave.sim.workload.Pairs;
import io.cleave.sim.workload.Registers;
import io.cleave.sim.workload.Ring;
import io.cleave.sim.workload.Workload;
import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// The workloads and checkers of the simulation against a real server, through YDB's SDK, while its
/// tablets are cut, merged and moved: it is killed and started again, and stands still for a while,
/// as a machine does that is short of memory.
class WorkloadsTest {
    private static final int CLIENTS = 8;
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("seconds", 12));

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong ticks = new AtomicLong();
    private final Totals totals = new Totals();
    private final List<Workload> workloads =
            List.of(
                    new Bank("bank"),
                    new Ring("ring"),
                    new Lists("lists", 6),
                    new Registers("registers"),
                    new Pairs("pairs"));

    @TempDir private Path folder;
    private volatile Connection connection;

    private record Connection(ServerProcess server, GrpcTransport transport, QueryClient queries) {
        static Connection start(Path data) {
            ServerProcess server =
                    ServerProcess.start(data, ServerProcess.SMALL_CELLS, ServerProcess.THREE_CELLS);
            GrpcTransport transport = GrpcTransport.forConnectionString(server.endpoint()).build();
            return new Connection(server, transport, QueryClient.newClient(transport).build());
        }

        void close() {
            server.close();
            queries.close();
            transport.close();
        }
    }

    @Test
    void nothingIsWrongWhenTheServerIsKilledOrStandsStill() {
        System.out.println("WorkloadsTest -Dseed=" + seed);
        connection = Connection.start(folder.resolve("data"));
        Client first = newClient();
        workloads.forEach(workload -> workload.setUp(first));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                var own = new Random(random.nextLong());
                ends.add(CompletableFuture.runAsync(() -> work(own), threads));
            }
            var driver = new Random(random.nextLong());
            ends.add(CompletableFuture.runAsync(() -> change(driver), threads));
            makeTrouble(ends);
            over.set(true);
            ends.forEach(CompletableFuture::join);
            workloads.forEach(workload -> workload.finish(first));
            for (String change : List.of("splits", "merges", "moves")) {
                assertThat(totals.get(change)).as(change).isPositive();
            }
        } finally {
            connection.close();
            System.out.println("WorkloadsTest " + totals);
        }
    }

    private void makeTrouble(List<CompletableFuture<Void>> clients) {
        long deadline = System.nanoTime() + LENGTH.toNanos();
        while (System.nanoTime() < deadline
                && clients.stream().noneMatch(CompletableFuture::isDone)) {
            sleep(200 + random.nextInt(1500));
            if (random.nextInt(3) == 0) {
                totals.count("kills");
                Connection killed = connection;
                killed.server.kill();
                connection = Connection.start(folder.resolve("data"));
                killed.close();
            } else {
                totals.count("stops");
                connection.server.suspend();
                sleep(random.nextInt(400));
                connection.server.resume();
            }
        }
    }

    private void work(Random own) {
        Client client = newClient();
        while (!over.get()) {
            workloads.get(own.nextInt(workloads.size())).step(client, own);
        }
    }

    private void change(Random own) {
        var structure = new HttpStructure(() -> connection.server.console(), own, totals);
        while (!over.get()) {
            Workload workload = workloads.get(own.nextInt(workloads.size()));
            List<String> tables = workload.tables();
            String table = tables.get(own.nextInt(tables.size()));
            structure.step(SdkClient.path(table), workload.keyBound());
            sleep(own.nextInt(50));
        }
    }

    private Client newClient() {
        return new SdkClient(() -> connection.queries, ticks, totals);
    }

    private static void sleep(int millis) {
        LockSupport.parkNanos(millis * 1_000_000L);
    }
}
