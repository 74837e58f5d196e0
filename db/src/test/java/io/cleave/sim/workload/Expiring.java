package io.cleave.sim.workload;

import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/// A table whose rows expire, or do not, as their values say. None that has not expired is ever
/// erased, all others are in the end, and an index has at every moment what the table has.
///
/// What a client has been told that it wrote is remembered; a key is one client's at a time. One of
/// which nobody knows what it has is left alone from then on.
public final class Expiring implements Workload {
    /// How the values of rows begin that have expired.
    public static final String GONE = "gone";

    /// Of those that have not. Others have no time.
    public static final String KEPT = "kept";

    private static final String TIMELESS = "timeless";
    private static final int ROWS = 30;
    private static final String SYNC = "now";

    /// So often is looked whether all is erased.
    private static final int PATIENCE = 2_000;

    private final String rows;
    private final boolean indexed;
    private final Set<Long> taken = new HashSet<>();
    private final Map<Long, String> known = new HashMap<>();

    public Expiring(String table, boolean indexed) {
        rows = table;
        this.indexed = indexed;
    }

    @Override
    public List<String> tables() {
        return indexed ? List.of(rows, Client.indexTable(rows, SYNC)) : List.of(rows);
    }

    @Override
    public long keyBound() {
        return ROWS;
    }

    @Override
    public void setUp(Client client) {
        client.createExpiring(rows, List.of(ROWS / 2L), indexed ? List.of(SYNC) : List.of());
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        if (indexed && random.nextInt(6) == 0) {
            client.run(Mode.SNAPSHOT_READ, this::checkIndex);
            return;
        }
        long key = random.nextInt(ROWS);
        if (!taken.add(key)) {
            return;
        }
        Outcome outcome = random.nextInt(3) == 0 ? look(client, key) : write(client, key, random);
        if (outcome == Outcome.COMMITTED || outcome == Outcome.ABORTED) {
            taken.remove(key);
        } else {
            // It may happen at any time, or never.
            known.remove(key);
        }
    }

    private Outcome write(Client client, long key, RandomGenerator random) {
        String kind =
                switch (random.nextInt(5)) {
                    case 0, 1 -> GONE;
                    case 2 -> TIMELESS;
                    default -> KEPT;
                };
        String value = kind + random.nextInt(1000);
        Mode mode = random.nextBoolean() ? Mode.SERIALIZABLE : Mode.SNAPSHOT_WRITE;
        Outcome outcome = client.run(mode, transaction -> transaction.put(rows, key, value));
        if (outcome == Outcome.COMMITTED) {
            known.put(key, value);
        }
        return outcome;
    }

    private Outcome look(Client client, long key) {
        client.run(Mode.SNAPSHOT_READ, transaction -> checkRow(transaction, key));
        return Outcome.COMMITTED;
    }

    private void checkRow(Transaction transaction, long key) {
        String value = known.get(key);
        String found = transaction.get(rows, key);
        boolean mayBeErased = value == null || value.startsWith(GONE);
        if (found == null ? !mayBeErased : !found.equals(value)) {
            throw new AssertionError(
                    "%s: row %d is %s, and was written as %s".formatted(rows, key, found, value));
        }
    }

    private void checkIndex(Transaction transaction) {
        SortedMap<Long, String> table = transaction.scan(rows, 0, keyBound());
        SortedMap<Long, String> index = transaction.scanIndex(rows, SYNC);
        if (!table.equals(index)) {
            throw new AssertionError(
                    "%s: the rows are %s, the index is %s".formatted(rows, table, index));
        }
    }

    @Override
    public void finish(Client client) {
        if (indexed) {
            client.insist(Mode.SERIALIZABLE, this::checkIndex);
        }
        known.keySet()
                .forEach(
                        key ->
                                client.insist(
                                        Mode.SNAPSHOT_READ,
                                        transaction -> checkRow(transaction, key)));
        boolean[] erased = new boolean[1];
        for (int look = 0; look < PATIENCE && !erased[0]; look++) {
            client.insist(
                    Mode.SNAPSHOT_READ,
                    transaction ->
                            erased[0] =
                                    transaction.scan(rows, 0, keyBound()).values().stream()
                                            .noneMatch(value -> value.startsWith(GONE)));
        }
        if (!erased[0]) {
            throw new AssertionError(rows + ": what has expired is not erased");
        }
        if (indexed) {
            client.insist(Mode.SERIALIZABLE, this::checkIndex);
        }
    }
}
