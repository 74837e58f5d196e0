package io.cleave.sim.workload;

import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Transaction;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Money goes from account to account: whoever looks at all of them at once finds the same sum. An
/// account with nothing on it has no row.
public final class Bank implements Workload {
    private static final int ACCOUNTS = 10;
    private static final long SPACING = 10;
    private static final long EACH = 20;

    private final String table;

    public Bank(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return ACCOUNTS * SPACING;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of(keyBound() / 2));
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> {
                    for (int account = 0; account < ACCOUNTS; account++) {
                        put(transaction, key(account), EACH);
                    }
                });
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        switch (random.nextInt(5)) {
            case 0 -> audit(client, Mode.SNAPSHOT_READ);
            case 1 -> audit(client, random.nextBoolean() ? Mode.SERIALIZABLE : Mode.SNAPSHOT_READ);
            case 2 -> auditOneByOne(client, random);
            case 3 -> transfer(client, Mode.SNAPSHOT_WRITE, random);
            default -> transfer(client, Mode.SERIALIZABLE, random);
        }
    }

    private void transfer(Client client, Mode mode, RandomGenerator random) {
        long from = key(random.nextInt(ACCOUNTS));
        long to = key(random.nextInt(ACCOUNTS));
        long amount = 1 + random.nextLong(EACH);
        client.run(
                mode,
                transaction -> {
                    long there = balance(transaction, from);
                    long other = balance(transaction, to);
                    if (from != to && there >= amount) {
                        put(transaction, from, there - amount);
                        put(transaction, to, other + amount);
                    }
                });
    }

    private void audit(Client client, Mode mode) {
        client.run(
                mode,
                transaction -> check(transaction.scan(table, 0, keyBound()), mode + ", a scan"));
    }

    /// In any order, with time in between.
    private void auditOneByOne(Client client, RandomGenerator random) {
        client.run(
                Mode.SNAPSHOT_READ,
                transaction -> {
                    SortedMap<Long, String> found = new TreeMap<>();
                    int first = random.nextInt(ACCOUNTS);
                    for (int count = 0; count < ACCOUNTS; count++) {
                        long key = key((first + count) % ACCOUNTS);
                        String balance = transaction.get(table, key);
                        if (balance != null) {
                            found.put(key, balance);
                        }
                    }
                    check(found, "one by one");
                });
    }

    private void check(SortedMap<Long, String> accounts, String how) {
        long sum = accounts.values().stream().mapToLong(Long::parseLong).sum();
        if (sum != ACCOUNTS * EACH) {
            throw new AssertionError(
                    "%s: the sum of %s is %d, not %d (%s)"
                            .formatted(table, accounts, sum, ACCOUNTS * EACH, how));
        }
    }

    @Override
    public void finish(Client client) {
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> check(transaction.scan(table, 0, keyBound()), "in the end"));
    }

    private long balance(Transaction transaction, long key) {
        String text = transaction.get(table, key);
        return text == null ? 0 : Long.parseLong(text);
    }

    private void put(Transaction transaction, long key, long balance) {
        if (balance == 0) {
            transaction.erase(table, key);
        } else {
            transaction.put(table, key, Long.toString(balance));
        }
    }

    private static long key(int account) {
        return account * SPACING;
    }
}
