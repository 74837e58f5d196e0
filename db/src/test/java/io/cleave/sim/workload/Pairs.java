package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// A table and another that says where each of its values is, as a secondary index does. Whoever
/// reads both at once finds that they say the same.
public final class Pairs implements Workload {
    private static final int ROWS = 12;
    private static final int VALUES = 60;

    private final String rows;
    private final String index;

    public Pairs(String table) {
        rows = table;
        index = table + "_index";
    }

    @Override
    public List<String> tables() {
        return List.of(rows, index);
    }

    @Override
    public long keyBound() {
        return VALUES;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(rows, List.of());
        client.createTable(index, List.of(VALUES / 2L));
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        long key = random.nextInt(ROWS);
        long value = random.nextInt(VALUES);
        switch (random.nextInt(6)) {
            case 0 -> client.run(Mode.SNAPSHOT_READ, this::checkAll);
            case 1 -> client.run(Mode.SERIALIZABLE, this::checkAll);
            case 2 -> client.run(Mode.SNAPSHOT_READ, transaction -> checkOne(transaction, value));
            case 3 -> client.run(Mode.SERIALIZABLE, transaction -> remove(transaction, key));
            default -> client.run(Mode.SERIALIZABLE, transaction -> set(transaction, key, value));
        }
    }

    /// A value that another row has stays there.
    private void set(Transaction transaction, long key, long value) {
        if (transaction.get(index, value) == null) {
            remove(transaction, key);
            transaction.put(rows, key, Long.toString(value));
            transaction.put(index, value, Long.toString(key));
        }
    }

    private void remove(Transaction transaction, long key) {
        String old = transaction.get(rows, key);
        if (old != null) {
            transaction.erase(index, Long.parseLong(old));
            transaction.erase(rows, key);
        }
    }

    private void checkOne(Transaction transaction, long value) {
        String key = transaction.get(index, value);
        if (key != null) {
            String found = transaction.get(rows, Long.parseLong(key));
            if (!Long.toString(value).equals(found)) {
                throw new AssertionError(
                        "%s: the index has %d at %s, where %s is"
                                .formatted(rows, value, key, found));
            }
        }
    }

    private void checkAll(Transaction transaction) {
        SortedMap<Long, String> table = transaction.scan(rows, 0, keyBound());
        SortedMap<Long, String> found = transaction.scan(index, 0, keyBound());
        SortedMap<Long, String> expected = new TreeMap<>();
        table.forEach((key, value) -> expected.put(Long.parseLong(value), Long.toString(key)));
        if (!expected.equals(found)) {
            throw new AssertionError(
                    "%s: the rows are %s, the index is %s".formatted(rows, table, found));
        }
    }

    @Override
    public void finish(Client client) {
        client.insist(Mode.SERIALIZABLE, this::checkAll);
    }
}
