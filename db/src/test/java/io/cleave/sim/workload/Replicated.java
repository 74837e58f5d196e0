package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/// A table with read replicas, all of whose rows have the same number, and each commit the next
/// one. Whoever reads replicas finds one number, not an earlier one than before, and none that
/// nobody has written. When all has calmed down, it is the last one soon.
public final class Replicated implements Workload {
    private static final int ROWS = 8;

    /// Replicas are this far behind at most when nothing holds them up.
    private static final int BOUND_MILLIS = 20;

    private final String table;

    /// What each client has seen last.
    private final Map<Client, Long> seen = new HashMap<>();

    /// The greatest number that anyone has tried to write.
    private long tried;

    public Replicated(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return ROWS;
    }

    @Override
    public void setUp(Client client) {
        client.createReplicated(table, List.of(ROWS / 2L), 2);
        client.insist(Mode.SERIALIZABLE, transaction -> writeAll(transaction, 0));
        // Until replicas have seen that, too.
        client.pauseMillis(1000);
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        switch (random.nextInt(4)) {
            case 0 -> client.run(Mode.SERIALIZABLE, this::increase);
            case 1 -> client.run(Mode.STALE_READ, transaction -> checkSome(client, transaction));
            default -> client.run(Mode.STALE_READ, transaction -> checkAll(client, transaction));
        }
    }

    private void increase(Transaction transaction) {
        String number = transaction.get(table, 0);
        if (number == null) {
            throw new AssertionError(table + ": a row is gone");
        }
        writeAll(transaction, Long.parseLong(number) + 1);
    }

    private void writeAll(Transaction transaction, long number) {
        tried = Math.max(tried, number);
        for (long key = 0; key < ROWS; key++) {
            transaction.put(table, key, Long.toString(number));
        }
    }

    private void checkAll(Client client, Transaction transaction) {
        SortedMap<Long, String> rows = transaction.scan(table, 0, ROWS);
        if (rows.size() != ROWS) {
            throw new AssertionError("%s: a stale read sees %s".formatted(table, rows));
        }
        check(client, new HashSet<>(rows.values()));
    }

    private void checkSome(Client client, Transaction transaction) {
        Set<String> found = new HashSet<>();
        for (long key = 0; key < ROWS; key += 3) {
            found.add(String.valueOf(transaction.get(table, key)));
        }
        check(client, found);
    }

    private void check(Client client, Set<String> found) {
        if (found.size() != 1) {
            throw new AssertionError(
                    "%s: a stale read sees several moments: %s".formatted(table, found));
        }
        long number = Long.parseLong(found.iterator().next());
        long before = seen.getOrDefault(client, 0L);
        if (number < before || number > tried) {
            throw new AssertionError(
                    "%s: a stale read sees %d, after %d and of %d"
                            .formatted(table, number, before, tried));
        }
        seen.put(client, number);
    }

    /// Twice: the server may only just have come back.
    @Override
    public void finish(Client client) {
        client.insist(Mode.SERIALIZABLE, this::increase);
        client.pauseMillis(1000);
        client.insist(Mode.SERIALIZABLE, this::increase);
        client.pauseMillis(BOUND_MILLIS);
        client.insist(
                Mode.SNAPSHOT_READ,
                newest ->
                        client.insist(
                                Mode.STALE_READ,
                                stale -> {
                                    String last = newest.get(table, 0);
                                    String found = stale.get(table, 0);
                                    if (!String.valueOf(last).equals(found)) {
                                        throw new AssertionError(
                                                "%s: a stale read sees %s instead of %s"
                                                        .formatted(table, found, last));
                                    }
                                }));
        client.insist(Mode.STALE_READ, transaction -> checkAll(client, transaction));
    }
}
