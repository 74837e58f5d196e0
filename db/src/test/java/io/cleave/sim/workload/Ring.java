package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/// Each row names the next one, and together they are a ring. Transactions let two neighbours
/// change places; one that is lost, or half done, or built on what is no longer so, tears the ring.
public final class Ring implements Workload {
    private static final int NODES = 8;
    private static final long SPACING = 7;

    private final String table;

    public Ring(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return NODES * SPACING;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of());
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> {
                    for (int node = 0; node < NODES; node++) {
                        put(transaction, key(node), key((node + 1) % NODES));
                    }
                });
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        if (random.nextInt(4) == 0) {
            client.run(
                    Mode.SNAPSHOT_READ,
                    transaction -> check(transaction.scan(table, 0, keyBound())));
        } else {
            long first = key(random.nextInt(NODES));
            client.run(Mode.SERIALIZABLE, transaction -> swap(transaction, first));
        }
    }

    /// first, second, third, fourth become first, third, second, fourth.
    private void swap(Transaction transaction, long first) {
        long second = next(transaction, first);
        long third = next(transaction, second);
        long fourth = next(transaction, third);
        put(transaction, first, third);
        put(transaction, third, second);
        put(transaction, second, fourth);
    }

    private void check(SortedMap<Long, String> rows) {
        long at = 0;
        int steps = 0;
        do {
            String next = rows.get(at);
            if (next == null) {
                throw new AssertionError(table + ": " + at + " is missing in " + rows);
            }
            at = Long.parseLong(next);
            steps++;
        } while (at != 0 && steps <= NODES);
        if (steps != NODES || rows.size() != NODES) {
            throw new AssertionError(table + ": this is no ring of " + NODES + ": " + rows);
        }
    }

    @Override
    public void finish(Client client) {
        client.insist(
                Mode.SERIALIZABLE, transaction -> check(transaction.scan(table, 0, keyBound())));
    }

    private long next(Transaction transaction, long node) {
        String next = transaction.get(table, node);
        if (next == null) {
            throw new AssertionError(table + ": no row " + node);
        }
        return Long.parseLong(next);
    }

    private void put(Transaction transaction, long node, long next) {
        transaction.put(table, node, Long.toString(next));
    }

    private static long key(int node) {
        return node * SPACING;
    }
}
