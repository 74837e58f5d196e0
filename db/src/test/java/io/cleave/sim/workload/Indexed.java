package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/// A table with two real indexes on its value: one that its writes keep up, which agrees with it at
/// every snapshot, and one that follows, which agrees when it has caught up.
public final class Indexed implements Workload {
    private static final int ROWS = 20;
    private static final int VALUES = 9;
    private static final String SYNC = "now";
    private static final String ASYNC = "later";

    /// So often is looked whether the one that follows has caught up.
    private static final int PATIENCE = 2_000;

    private final String rows;

    public Indexed(String table) {
        rows = table;
    }

    @Override
    public List<String> tables() {
        return List.of(rows, Client.indexTable(rows, SYNC), Client.indexTable(rows, ASYNC));
    }

    @Override
    public long keyBound() {
        return ROWS;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(rows, List.of(ROWS / 2L), List.of(SYNC), List.of(ASYNC));
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        long key = random.nextInt(ROWS);
        Mode mode = random.nextBoolean() ? Mode.SERIALIZABLE : Mode.SNAPSHOT_WRITE;
        switch (random.nextInt(8)) {
            case 0 -> client.run(Mode.SNAPSHOT_READ, this::check);
            case 1 -> client.run(Mode.SERIALIZABLE, this::check);
            case 2 -> client.run(mode, transaction -> transaction.erase(rows, key));
            case 3 ->
                    client.run(
                            mode,
                            transaction -> {
                                set(transaction, key, random);
                                set(transaction, random.nextInt(ROWS), random);
                                transaction.erase(rows, random.nextInt(ROWS));
                            });
            case 4 -> client.run(mode, transaction -> copy(transaction, key, random));
            default -> client.run(mode, transaction -> set(transaction, key, random));
        }
    }

    private void set(Transaction transaction, long key, RandomGenerator random) {
        transaction.put(rows, key, Integer.toString(random.nextInt(VALUES)));
    }

    /// What one row has another has then.
    private void copy(Transaction transaction, long from, RandomGenerator random) {
        String value = transaction.get(rows, from);
        if (value != null) {
            transaction.put(rows, random.nextInt(ROWS), value);
        }
    }

    private void check(Transaction transaction) {
        SortedMap<Long, String> table = transaction.scan(rows, 0, keyBound());
        SortedMap<Long, String> index = transaction.scanIndex(rows, SYNC);
        if (!table.equals(index)) {
            throw new AssertionError(
                    "%s: the rows are %s, the index is %s".formatted(rows, table, index));
        }
    }

    @Override
    public void finish(Client client) {
        client.insist(Mode.SERIALIZABLE, this::check);
        boolean[] follows = new boolean[1];
        for (int look = 0; look < PATIENCE && !follows[0]; look++) {
            client.insist(
                    Mode.SNAPSHOT_READ,
                    transaction ->
                            follows[0] =
                                    transaction
                                            .scan(rows, 0, keyBound())
                                            .equals(transaction.scanIndex(rows, ASYNC)));
        }
        if (!follows[0]) {
            throw new AssertionError(rows + ": the index that follows does not catch up");
        }
    }
}
