package io.cleave.sim.workload;

import io.cleave.sim.history.Anomaly;
import io.cleave.sim.history.ListTransaction;
import io.cleave.sim.history.ListTransaction.Operation;
import io.cleave.sim.history.Outcome;
import io.cleave.sim.history.Serializability;
import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Transactions read lists and append to them, one or several, by key or a range at a time. In the
/// end all of it must fit one serial order that agrees with time.
public final class Lists implements Workload {
    private static final int LISTS = 48;
    private static final long SPACING = 5;

    private static final int APPENDS_EACH = 10;

    private final String table;

    /// Work is on so many lists at a time, and moves on with the number of appends: lists stay
    /// short.
    private final int active;

    private final AtomicLong elements = new AtomicLong();
    private final AtomicLong transactions = new AtomicLong();
    private final Queue<ListTransaction> history = new ConcurrentLinkedQueue<>();

    public Lists(String table, int active) {
        this.table = table;
        this.active = active;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return LISTS * SPACING;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of(keyBound() / 3, 2 * keyBound() / 3));
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        boolean reads = random.nextInt(4) == 0;
        Mode mode = reads && random.nextBoolean() ? Mode.SNAPSHOT_READ : Mode.SERIALIZABLE;
        int count = 1 + random.nextInt(4);
        record(
                client,
                mode,
                (transaction, operations) -> {
                    for (int step = 0; step < count; step++) {
                        long key = key(random);
                        if (random.nextInt(reads ? 2 : 6) == 0) {
                            long to = key + SPACING * (1 + random.nextInt(active));
                            readRange(transaction, operations, key, Math.min(to, keyBound()));
                        } else if (reads || random.nextInt(3) == 0) {
                            read(transaction, operations, key);
                        } else {
                            append(transaction, operations, key);
                        }
                    }
                });
    }

    private long key(RandomGenerator random) {
        long first = elements.get() / APPENDS_EACH;
        return (first + random.nextInt(active)) % LISTS * SPACING;
    }

    private interface Body {
        void run(Transaction transaction, List<Operation> operations);
    }

    private void record(Client client, Mode mode, Body body) {
        List<Operation> operations = new ArrayList<>();
        String name = "t" + transactions.incrementAndGet();
        long began = client.tick();
        Outcome outcome = client.run(mode, transaction -> body.run(transaction, operations));
        history.add(new ListTransaction(name, began, client.tick(), outcome, operations));
    }

    private List<Long> read(Transaction transaction, List<Operation> operations, long key) {
        List<Long> found = parse(transaction.get(table, key));
        operations.add(new Operation.Read(Long.toString(key), found));
        return found;
    }

    private void append(Transaction transaction, List<Operation> operations, long key) {
        List<Long> list = new ArrayList<>(read(transaction, operations, key));
        long element = elements.incrementAndGet();
        list.add(element);
        // Said before it is done: if that fails nobody knows how far it came.
        operations.add(new Operation.Append(Long.toString(key), element));
        transaction.put(table, key, print(list));
    }

    /// A list that is not there is empty: it must not come out of nowhere.
    private void readRange(
            Transaction transaction, List<Operation> operations, long from, long to) {
        SortedMap<Long, String> rows = transaction.scan(table, from, to);
        for (long key = from; key < to; key += SPACING) {
            operations.add(new Operation.Read(Long.toString(key), parse(rows.get(key))));
        }
        for (Map.Entry<Long, String> row : rows.entrySet()) {
            if (row.getKey() % SPACING != 0 || row.getKey() < from || row.getKey() >= to) {
                throw new AssertionError(table + ": a row that nobody wrote: " + row);
            }
        }
    }

    @Override
    public void finish(Client client) {
        Outcome outcome = Outcome.ABORTED;
        for (int count = 0; outcome != Outcome.COMMITTED && count < 100; count++) {
            record(
                    client,
                    Mode.SERIALIZABLE,
                    (transaction, operations) -> readRange(transaction, operations, 0, keyBound()));
            outcome = history.stream().reduce((_, last) -> last).orElseThrow().outcome();
        }
        List<Anomaly> anomalies = Serializability.check(List.copyOf(history));
        if (!anomalies.isEmpty()) {
            throw new AssertionError(table + ": " + anomalies);
        }
    }

    private static List<Long> parse(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(" ")).map(Long::valueOf).toList();
    }

    private static String print(List<Long> list) {
        return String.join(" ", list.stream().map(Object::toString).toList());
    }
}
