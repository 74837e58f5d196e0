package io.cleave.sim.workload;

import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/// Transactions with row locks, as YTsaurus has them. Each row has two counters, each in a lock
/// group of its own.
///
/// - No update is lost: the first of two transactions that count up the same counter wins. A
///   counter has what was committed, and at most what may have been committed.
/// - The first counter of a row is even while it is on duty. Rows are pairs, of which one must be
///   on duty. A transaction that ends a duty reads the other row and locks it, so that two of them
///   cannot both go.
public final class Groups implements Workload {
    private static final int ROWS = 8;
    private static final long SPACING = 10;

    private final String table;

    /// Increments that were committed, and that may have been: by row, first and second counter.
    private final AtomicLongArray committed = new AtomicLongArray(2 * ROWS);

    private final AtomicLongArray perhaps = new AtomicLongArray(2 * ROWS);

    public Groups(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return ROWS * SPACING;
    }

    @Override
    public void setUp(Client client) {
        client.createLocked(table, List.of(keyBound() / 2));
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> {
                    for (int row = 0; row < ROWS; row++) {
                        transaction.put(table, key(row), "0");
                        transaction.putOther(table, key(row), "0");
                    }
                });
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        switch (random.nextInt(4)) {
            case 0 -> check(client);
            case 1 -> countBoth(client, random);
            case 2 -> countOther(client, random);
            default -> changeDuty(client, random.nextInt(ROWS));
        }
    }

    /// Ends a duty if the other row of the pair has one, or begins it.
    private void changeDuty(Client client, int row) {
        int other = row ^ 1;
        boolean[] counts = new boolean[1];
        Outcome outcome =
                client.run(
                        Mode.ROW_LOCKS,
                        transaction -> {
                            long now = first(transaction, row);
                            boolean isOnDuty = now % 2 == 0;
                            counts[0] = !isOnDuty || first(transaction, other) % 2 == 0;
                            if (counts[0]) {
                                if (isOnDuty) {
                                    transaction.lock(table, key(other));
                                }
                                transaction.put(table, key(row), Long.toString(now + 1));
                            }
                        });
        if (counts[0]) {
            count(outcome, 2 * row);
        }
    }

    private void countOther(Client client, RandomGenerator random) {
        int row = random.nextInt(ROWS);
        Outcome outcome = client.run(Mode.ROW_LOCKS, transaction -> countUpOther(transaction, row));
        count(outcome, 2 * row + 1);
    }

    /// The second counters of two rows, which may be in different cells.
    private void countBoth(Client client, RandomGenerator random) {
        int one = random.nextInt(ROWS);
        int other = (one + 1 + random.nextInt(ROWS - 1)) % ROWS;
        Outcome outcome =
                client.run(
                        Mode.ROW_LOCKS,
                        transaction -> {
                            countUpOther(transaction, one);
                            countUpOther(transaction, other);
                        });
        count(outcome, 2 * one + 1);
        count(outcome, 2 * other + 1);
    }

    private void countUpOther(Transaction transaction, int row) {
        long now = second(transaction, row);
        transaction.putOther(table, key(row), Long.toString(now + 1));
    }

    private void count(Outcome outcome, int counter) {
        switch (outcome) {
            case COMMITTED -> committed.incrementAndGet(counter);
            case UNKNOWN -> perhaps.incrementAndGet(counter);
            case ABORTED -> {}
        }
    }

    /// One row of each pair is on duty, whenever one looks.
    private void check(Client client) {
        client.run(
                Mode.ROW_LOCKS,
                transaction -> {
                    for (int row = 0; row < ROWS; row += 2) {
                        checkDuty(row, first(transaction, row), first(transaction, row + 1));
                    }
                });
    }

    private void checkDuty(int row, long one, long other) {
        if (one % 2 != 0 && other % 2 != 0) {
            throw new AssertionError(
                    "%s: neither of the rows %d and %d is on duty: %d, %d"
                            .formatted(table, row, row + 1, one, other));
        }
    }

    @Override
    public void finish(Client client) {
        long[] found = new long[2 * ROWS];
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> {
                    for (int row = 0; row < ROWS; row++) {
                        found[2 * row] = first(transaction, row);
                        found[2 * row + 1] = second(transaction, row);
                    }
                });
        for (int counter = 0; counter < found.length; counter++) {
            long least = committed.get(counter);
            long most = least + perhaps.get(counter);
            if (found[counter] < least || found[counter] > most) {
                throw new AssertionError(
                        "%s: counter %d of row %d is %d, not between %d and %d"
                                .formatted(
                                        table,
                                        counter % 2,
                                        counter / 2,
                                        found[counter],
                                        least,
                                        most));
            }
        }
        for (int row = 0; row < ROWS; row += 2) {
            checkDuty(row, found[2 * row], found[2 * row + 2]);
        }
    }

    private long first(Transaction transaction, int row) {
        return number(transaction.get(table, key(row)));
    }

    private long second(Transaction transaction, int row) {
        return number(transaction.getOther(table, key(row)));
    }

    private long number(String text) {
        if (text == null) {
            throw new AssertionError(table + ": a row is gone");
        }
        return Long.parseLong(text);
    }

    private static long key(int row) {
        return row * SPACING;
    }
}
