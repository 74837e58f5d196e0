package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.FailedException;
import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Money goes to and fro between two tables, and both are copied at one moment again and again:
/// copies have all of it, stay what they are, and can be written without the others noticing.
public final class Copies implements Workload {
    private static final int ACCOUNTS = 8;
    private static final long EACH = 100;

    private final String left;
    private final String right;
    private int copies;

    public Copies(String table) {
        left = table + "-left";
        right = table + "-right";
    }

    @Override
    public List<String> tables() {
        return List.of(left, right);
    }

    @Override
    public long keyBound() {
        return ACCOUNTS;
    }

    @Override
    public void setUp(Client client) {
        for (String table : tables()) {
            client.createTable(table, List.of(ACCOUNTS / 2L));
            client.insist(
                    Mode.SERIALIZABLE,
                    transaction -> {
                        for (long account = 0; account < ACCOUNTS; account++) {
                            transaction.put(table, account, Long.toString(EACH));
                        }
                    });
        }
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        switch (random.nextInt(12)) {
            case 0 -> copy(client, random);
            case 1 ->
                    client.run(Mode.SNAPSHOT_READ, transaction -> check(transaction, left, right));
            default ->
                    client.run(
                            Mode.SERIALIZABLE,
                            transaction -> move(transaction, left, right, random));
        }
    }

    private static void move(
            Transaction transaction, String one, String other, RandomGenerator random) {
        String from = random.nextBoolean() ? one : other;
        String to = random.nextBoolean() ? one : other;
        long fromAccount = random.nextInt(ACCOUNTS);
        long toAccount = random.nextInt(ACCOUNTS);
        long amount = random.nextInt(50);
        add(transaction, from, fromAccount, -amount);
        add(transaction, to, toAccount, amount);
    }

    private static void add(Transaction transaction, String table, long account, long amount) {
        String had = transaction.get(table, account);
        if (had == null) {
            throw new AssertionError("%s has no account %d".formatted(table, account));
        }
        transaction.put(table, account, Long.toString(Long.parseLong(had) + amount));
    }

    private void copy(Client client, RandomGenerator random) {
        int number = copies++;
        String leftCopy = left + "-" + number;
        String rightCopy = right + "-" + number;
        if (!client.copy(new TreeMap<>(Map.of(left, leftCopy, right, rightCopy)))) {
            return;
        }
        client.run(Mode.SNAPSHOT_READ, transaction -> check(transaction, leftCopy, rightCopy));
        client.run(
                Mode.SERIALIZABLE, transaction -> move(transaction, leftCopy, rightCopy, random));
        client.run(Mode.SNAPSHOT_READ, transaction -> check(transaction, left, right));
        client.run(Mode.SNAPSHOT_READ, transaction -> check(transaction, leftCopy, rightCopy));
        client.drop(leftCopy);
        client.drop(rightCopy);
    }

    /// @throws FailedException when it cannot be read now
    private static void check(Transaction transaction, String one, String other) {
        long sum = sum(transaction, one) + sum(transaction, other);
        if (sum != 2 * ACCOUNTS * EACH) {
            throw new AssertionError("%s and %s have %d".formatted(one, other, sum));
        }
    }

    private static long sum(Transaction transaction, String table) {
        return transaction.scan(table, 0, ACCOUNTS).values().stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Override
    public void finish(Client client) {
        client.insist(Mode.SERIALIZABLE, transaction -> check(transaction, left, right));
    }
}
