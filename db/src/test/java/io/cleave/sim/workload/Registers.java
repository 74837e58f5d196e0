package io.cleave.sim.workload;

import io.cleave.sim.history.Linearizability;
import io.cleave.sim.history.Outcome;
import io.cleave.sim.history.RegisterOperation;
import io.cleave.sim.history.RegisterOperation.Action;
import io.cleave.sim.workload.Client.Mode;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Single rows are read, written and swapped for what they held; each must look like one row, at
/// one place, that does one thing at a time.
public final class Registers implements Workload {
    private static final int REGISTERS = 40;
    private static final long SPACING = 3;

    /// Work is on so many at a time. One that has seen enough is left, before the search for an
    /// order becomes long; those of unknown outcome make it longest.
    private static final int ACTIVE = 4;

    private static final int OPERATIONS = 60;
    private static final int UNKNOWN = 8;

    private final String table;
    private final List<Register> registers = new ArrayList<>();
    private final AtomicLong values = new AtomicLong();
    private final AtomicInteger first = new AtomicInteger();

    private static final class Register {
        final Queue<RegisterOperation> operations = new ConcurrentLinkedQueue<>();
        final AtomicInteger unknown = new AtomicInteger();
        final AtomicInteger begun = new AtomicInteger();

        /// False if it has seen enough.
        boolean begin() {
            return begun.incrementAndGet() <= OPERATIONS && unknown.get() < UNKNOWN;
        }
    }

    public Registers(String table) {
        this.table = table;
        for (int register = 0; register < REGISTERS; register++) {
            registers.add(new Register());
        }
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return REGISTERS * SPACING;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of());
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        int number = first.get() + random.nextInt(ACTIVE);
        if (number >= REGISTERS || !registers.get(number).begin()) {
            first.compareAndSet(number, number + 1);
            return;
        }
        switch (random.nextInt(5)) {
            case 0, 1 -> read(client, number, random);
            case 2, 3 -> write(client, number, random);
            default -> swap(client, number);
        }
    }

    private void read(Client client, int number, RandomGenerator random) {
        Mode mode =
                switch (random.nextInt(3)) {
                    case 0 -> Mode.SERIALIZABLE;
                    case 1 -> Mode.SNAPSHOT_READ;
                    default -> Mode.ONLINE_READ;
                };
        String[] found = new String[1];
        long began = client.tick();
        Outcome outcome =
                client.run(mode, transaction -> found[0] = transaction.get(table, key(number)));
        add(client, number, began, outcome, new Action.Read(found[0]));
    }

    /// Without having looked: the short way of a single upsert.
    private void write(Client client, int number, RandomGenerator random) {
        boolean erases = random.nextInt(8) == 0;
        String value = erases ? null : newValue();
        long began = client.tick();
        Outcome outcome =
                client.run(
                        Mode.SERIALIZABLE,
                        transaction -> {
                            if (value == null) {
                                transaction.erase(table, key(number));
                            } else {
                                transaction.put(table, key(number), value);
                            }
                        });
        add(client, number, began, outcome, new Action.Write(value));
    }

    private void swap(Client client, int number) {
        String value = newValue();
        String[] found = new String[1];
        long began = client.tick();
        Outcome outcome =
                client.run(
                        Mode.SERIALIZABLE,
                        transaction -> {
                            found[0] = transaction.get(table, key(number));
                            transaction.put(table, key(number), value);
                        });
        add(client, number, began, outcome, new Action.Swap(found[0], value));
    }

    private void add(Client client, int number, long began, Outcome outcome, Action action) {
        Register register = registers.get(number);
        if (outcome == Outcome.UNKNOWN) {
            register.unknown.incrementAndGet();
        }
        long ended = client.tick();
        register.operations.add(new RegisterOperation("o" + ended, began, ended, outcome, action));
    }

    @Override
    public void finish(Client client) {
        for (int number = 0; number < REGISTERS; number++) {
            int register = number;
            var operations = new ArrayList<>(registers.get(number).operations);
            String[] found = new String[1];
            long began = client.tick();
            client.insist(
                    Mode.SERIALIZABLE,
                    transaction -> found[0] = transaction.get(table, key(register)));
            operations.add(
                    new RegisterOperation(
                            "last",
                            began,
                            client.tick(),
                            Outcome.COMMITTED,
                            new Action.Read(found[0])));
            Linearizability.check(null, operations)
                    .ifPresent(
                            why -> {
                                throw new AssertionError(table + ", " + key(register) + ": " + why);
                            });
        }
    }

    private String newValue() {
        return Long.toString(values.incrementAndGet());
    }

    private static long key(int number) {
        return number * SPACING;
    }
}
