package io.cleave.sim;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.SchemeChange;
import io.cleave.sim.Service.Change;
import io.cleave.sim.Service.Write;
import io.cleave.sim.Simulation.Bug;
import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client;
import io.cleave.testkit.SimEnv;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// A client of the simulated server: each step of a transaction is a message there and one back, of
/// which any may be lost, late or, where that is harmless, there twice.
final class SimClient implements Client {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SimEnv env;
    private final SimServer server;
    private final Faults faults;
    private final Totals totals;
    private final Clock clock;
    private final Bug bug;

    /// What all clients of a world count with.
    static final class Clock {
        private long ticks;
        private long transactions;
    }

    SimClient(SimEnv env, SimServer server, Faults faults, Totals totals, Clock clock, Bug bug) {
        this.env = env;
        this.server = server;
        this.faults = faults;
        this.totals = totals;
        this.clock = clock;
        this.bug = bug;
    }

    /// What came back, if anything has.
    private static final class Box<T extends @Nullable Object> {
        final ReentrantLock lock = new ReentrantLock();
        final Condition filled = lock.newCondition();
        boolean full;
        @Nullable StatusException failure;
        @Nullable T value;

        void fill(@Nullable T reply, @Nullable StatusException problem) {
            lock.lock();
            try {
                if (!full) {
                    full = true;
                    value = reply;
                    failure = problem;
                    filled.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// Nobody has answered.
    static final class SilenceException extends RuntimeException {
        SilenceException(String what) {
            super(what, null, false, false);
        }
    }

    enum Repeat {
        HARMLESS,
        NEVER
    }

    /// Sends a request and waits for the reply. A [StatusException] is the server's.
    <T extends @Nullable Object> T call(String what, Repeat repeat, Function<Service, T> request) {
        var box = new Box<T>();
        send(what, request, box);
        if (repeat == Repeat.HARMLESS && faults.repeatsMessage()) {
            totals.count("messages twice");
            send(what, request, box);
        }
        box.lock.lock();
        try {
            long deadline = env.nanoTime() + PATIENCE.toNanos();
            while (!box.full && env.nanoTime() < deadline) {
                env.await(box.filled, Duration.ofNanos(deadline - env.nanoTime()));
            }
            if (!box.full) {
                throw new SilenceException(what);
            }
            if (box.failure != null) {
                throw box.failure;
            }
            return box.value;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            box.lock.unlock();
        }
    }

    private <T extends @Nullable Object> void send(
            String what, Function<Service, T> request, Box<T> box) {
        carry(
                () -> {
                    boolean taken = server.receive(what, service -> answer(request, service, box));
                    if (!taken) {
                        box.fill(null, new StatusException(Status.UNAVAILABLE, "not there"));
                    }
                });
    }

    /// In a thread of the server.
    private <T extends @Nullable Object> void answer(
            Function<Service, T> request, Service service, Box<T> box) {
        try {
            T value = request.apply(service);
            carry(() -> box.fill(value, null));
        } catch (StatusException e) {
            carry(() -> box.fill(null, e));
        }
    }

    private void carry(Runnable message) {
        if (faults.losesMessage()) {
            totals.count("messages lost");
            return;
        }
        Duration delay = faults.messageDelay();
        env.spawn(
                "message",
                () -> {
                    pause(delay);
                    message.run();
                });
    }

    void pause(Duration duration) {
        try {
            env.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long tick() {
        return ++clock.ticks;
    }

    @Override
    public void createTable(String table, List<Long> cuts) {
        createTable(table, cuts, List.of(), List.of());
    }

    @Override
    public void createTable(String table, List<Long> cuts, List<String> sync, List<String> async) {
        createTable(table, cuts, sync, async, false, 0);
    }

    @Override
    public void createExpiring(String table, List<Long> cuts, List<String> sync) {
        createTable(table, cuts, sync, List.of(), true, 0);
    }

    @Override
    public void createReplicated(String table, List<Long> cuts, int replicas) {
        createTable(table, cuts, List.of(), List.of(), false, replicas);
    }

    @Override
    public void createLocked(String table, List<Long> cuts) {
        call(
                "create",
                Repeat.NEVER,
                service -> {
                    service.createLocked(path(table), cuts);
                    return null;
                });
    }

    @Override
    public void pauseMillis(int millis) {
        pause(Duration.ofMillis(millis));
    }

    private void createTable(
            String table,
            List<Long> cuts,
            List<String> sync,
            List<String> async,
            boolean expire,
            int replicas) {
        call(
                "create",
                Repeat.NEVER,
                service -> {
                    service.createTable(path(table), cuts, sync, async, expire, replicas);
                    return null;
                });
    }

    @Override
    public boolean copy(SortedMap<String, String> copies) {
        List<SchemeChange.Copy> wanted = new ArrayList<>();
        copies.forEach(
                (from, to) -> wanted.add(new SchemeChange.Copy(path(from), path(to), false)));
        boolean copied =
                isDone(
                        "copy",
                        service -> {
                            service.copyTables(wanted);
                            return true;
                        });
        totals.count(copied ? "copies" : "copies that failed");
        return copied;
    }

    @Override
    public Optional<String> tableCommand(String name, String table, String parameters) {
        try {
            String answer =
                    call(
                            name,
                            Repeat.NEVER,
                            service -> service.tableCommand(name, path(table), parameters));
            totals.count(answer.equals("{}") ? name : name + " refused");
            return Optional.of(answer);
        } catch (SilenceException | StatusException _) {
            totals.count("commands unanswered");
            return Optional.empty();
        }
    }

    @Override
    public Optional<Stored> stored(String table) {
        try {
            return call("stored", Repeat.HARMLESS, service -> service.stored(path(table)));
        } catch (SilenceException | StatusException _) {
            return Optional.empty();
        }
    }

    @Override
    public void drop(String table) {
        var _ =
                isDone(
                        "drop",
                        service -> {
                            service.dropTable(path(table));
                            return true;
                        });
    }

    private boolean isDone(String name, Function<Service, Boolean> request) {
        try {
            return call(name, Repeat.NEVER, request::apply);
        } catch (SilenceException | StatusException _) {
            return false;
        }
    }

    static String path(String table) {
        return SimServer.DATABASE + "/" + table;
    }

    @Override
    public Transaction begin(Mode mode) {
        return new SimTransaction(++clock.transactions, isolation(mode));
    }

    private static Isolation isolation(Mode mode) {
        return switch (mode) {
            case SERIALIZABLE -> Isolation.SERIALIZABLE;
            case SNAPSHOT_WRITE -> Isolation.SNAPSHOT_READ_WRITE;
            case SNAPSHOT_READ -> Isolation.SNAPSHOT_READ_ONLY;
            case ROW_LOCKS -> Isolation.ROW_LOCKS;
            case ONLINE_READ -> Isolation.ONLINE_READ_ONLY;
            case STALE_READ -> Isolation.STALE_READ_ONLY;
        };
    }

    private final class SimTransaction implements Transaction {
        private final long number;
        private final Isolation isolation;

        /// Those that the server has not been told yet.
        private final List<Write> writes = new ArrayList<>();

        /// Whether writes are sent one by one, or with the commit.
        private final boolean eager = faults.random().nextInt(3) == 0;

        private boolean begun;

        SimTransaction(long number, Isolation isolation) {
            this.number = number;
            this.isolation = isolation;
        }

        @Override
        public @Nullable String get(String table, long key) {
            sendWrites();
            return step("get", Repeat.HARMLESS, service -> service.get(number, path(table), key));
        }

        @Override
        public SortedMap<Long, String> scan(String table, long from, long to) {
            sendWrites();
            return step(
                    "scan",
                    Repeat.HARMLESS,
                    service -> service.scan(number, path(table), from, to));
        }

        @Override
        public SortedMap<Long, String> scanIndex(String table, String index) {
            sendWrites();
            String entries = path(Client.indexTable(table, index));
            return step(
                    "scan index", Repeat.HARMLESS, service -> service.scanIndex(number, entries));
        }

        @Override
        public void put(String table, long key, String value) {
            write(new Write(path(table), key, value, Change.VALUE));
        }

        @Override
        public void erase(String table, long key) {
            write(new Write(path(table), key, null, Change.VALUE));
        }

        @Override
        public @Nullable String getOther(String table, long key) {
            sendWrites();
            return step(
                    "get", Repeat.HARMLESS, service -> service.getOther(number, path(table), key));
        }

        @Override
        public void putOther(String table, long key, String value) {
            write(new Write(path(table), key, value, Change.OTHER));
        }

        @Override
        public void lock(String table, long key) {
            write(new Write(path(table), key, "", Change.LOCK));
        }

        private void write(Write write) {
            writes.add(write);
            if (eager) {
                sendWrites();
            }
        }

        /// What is read next must show them.
        private void sendWrites() {
            if (!writes.isEmpty()) {
                List<Write> sent = List.copyOf(writes);
                writes.clear();
                // Twice would not do: the second could come after a later write.
                step(
                        "write",
                        Repeat.NEVER,
                        service -> {
                            service.write(number, sent);
                            return null;
                        });
            }
        }

        private <T extends @Nullable Object> T step(
                String what, Repeat repeat, Function<Service, T> request) {
            boolean first = !begun;
            begun = true;
            try {
                return call(
                        what,
                        repeat,
                        service -> {
                            if (first) {
                                service.begin(number, isolation);
                            }
                            return request.apply(service);
                        });
            } catch (SilenceException e) {
                totals.count("steps unanswered");
                throw new FailedException(e.getMessage());
            } catch (StatusException e) {
                totals.count("steps " + e.status());
                throw new FailedException(e.getMessage());
            }
        }

        @Override
        public Outcome commit() {
            boolean first = !begun;
            List<Write> rest = List.copyOf(writes);
            Outcome outcome;
            try {
                CommitOutcome answer =
                        call("commit", Repeat.NEVER, service -> commit(service, first, rest));
                outcome =
                        switch (answer) {
                            case CommitOutcome.Committed _ -> Outcome.COMMITTED;
                            case CommitOutcome.Conflict _ -> Outcome.ABORTED;
                            case CommitOutcome.Unknown _ -> Outcome.UNKNOWN;
                        };
            } catch (SilenceException _) {
                outcome = Outcome.UNKNOWN;
            } catch (StatusException e) {
                totals.count("commits " + e.status());
                outcome = e.status() == Status.UNDETERMINED ? Outcome.UNKNOWN : Outcome.ABORTED;
            }
            if (bug == Bug.FORGOTTEN_COMMIT && outcome == Outcome.UNKNOWN) {
                outcome = Outcome.ABORTED;
            }
            totals.count(outcome.name());
            return outcome;
        }

        private CommitOutcome commit(Service service, boolean first, List<Write> rest) {
            if (first) {
                service.begin(number, isolation);
            }
            if (!rest.isEmpty()) {
                service.write(number, rest);
            }
            return service.commit(number);
        }

        /// Nobody waits for it.
        @Override
        public void rollback() {
            totals.count("ROLLED_BACK");
            send(
                    "rollback",
                    service -> {
                        service.rollback(number);
                        return null;
                    },
                    new Box<@Nullable Object>());
        }
    }
}
