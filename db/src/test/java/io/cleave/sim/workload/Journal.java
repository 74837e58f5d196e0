package io.cleave.sim.workload;

import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client.Mode;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Rows are added at the end, a few at a time, and the oldest are erased: the keys grow, and so
/// does the table. Whoever looks finds what was added as a whole and not yet erased, and nothing
/// else.
public final class Journal implements Workload {
    private static final long SPACING = 3;
    private static final long KEY_BOUND = 10_000;
    private static final int MOST_ROWS = 6;
    private static final int MOST_CHARS = 100;

    /// The newest ones, which are looked at most.
    private static final int NEWEST = 10;

    /// Of the oldest, so many are erased together.
    private static final int MOST_ERASED = 8;

    private final String table;

    /// In the order of their keys.
    private final List<Page> pages = new ArrayList<>();

    private long nextKey;

    /// What is known of a page.
    private enum State {
        /// Being added or erased, or nobody has heard what became of it.
        UNKNOWN,
        THERE,
        GONE
    }

    /// Rows that come and go together.
    private static final class Page {
        final SortedMap<Long, String> rows = new TreeMap<>();
        State state = State.UNKNOWN;
    }

    public Journal(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return KEY_BOUND;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of());
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        int choice = random.nextInt(10);
        if (choice == 0) {
            look(client, random.nextBoolean() ? 0 : Math.max(0, pages.size() - NEWEST));
        } else if (choice == 1) {
            eraseOldest(client);
        } else if (nextKey < KEY_BOUND - MOST_ROWS * SPACING) {
            add(client, random);
        }
    }

    private void add(Client client, RandomGenerator random) {
        var page = new Page();
        for (int count = 1 + random.nextInt(MOST_ROWS); count > 0; count--) {
            page.rows.put(nextKey, nextKey + "=".repeat(random.nextInt(MOST_CHARS)));
            nextKey += SPACING;
        }
        pages.add(page);
        Outcome outcome =
                client.run(
                        Mode.SERIALIZABLE,
                        transaction ->
                                page.rows.forEach(
                                        (key, value) -> transaction.put(table, key, value)));
        page.state =
                switch (outcome) {
                    case COMMITTED -> State.THERE;
                    case ABORTED -> State.GONE;
                    case UNKNOWN -> State.UNKNOWN;
                };
    }

    private void eraseOldest(Client client) {
        List<Page> there = pages.stream().filter(page -> page.state == State.THERE).toList();
        List<Page> oldest = there.subList(0, Math.min(there.size(), MOST_ERASED));
        oldest.forEach(page -> page.state = State.UNKNOWN);
        Outcome outcome =
                client.run(
                        Mode.SERIALIZABLE,
                        transaction ->
                                oldest.forEach(
                                        page ->
                                                page.rows
                                                        .keySet()
                                                        .forEach(
                                                                key ->
                                                                        transaction.erase(
                                                                                table, key))));
        State state =
                switch (outcome) {
                    case COMMITTED -> State.GONE;
                    case ABORTED -> State.THERE;
                    case UNKNOWN -> State.UNKNOWN;
                };
        oldest.forEach(page -> page.state = state);
    }

    /// At the pages from one on.
    private void look(Client client, int first) {
        if (!pages.isEmpty()) {
            List<Page> looked = List.copyOf(pages.subList(first, pages.size()));
            List<State> before = looked.stream().map(page -> page.state).toList();
            client.run(
                    Mode.SNAPSHOT_READ,
                    transaction -> {
                        long from = looked.getFirst().rows.firstKey();
                        long to = looked.getLast().rows.lastKey() + 1;
                        check(looked, before, transaction.scan(table, from, to));
                    });
        }
    }

    /// What was there before the look and is still has been there all the time.
    private void check(List<Page> looked, List<State> before, SortedMap<Long, String> found) {
        SortedMap<Long, String> strange = new TreeMap<>(found);
        for (int index = 0; index < looked.size(); index++) {
            Page page = looked.get(index);
            SortedMap<Long, String> rows =
                    found.subMap(page.rows.firstKey(), page.rows.lastKey() + 1);
            boolean isThere = rows.equals(page.rows);
            if (!isThere && !rows.isEmpty()) {
                throw new AssertionError(
                        "%s: half a page, %s of %s"
                                .formatted(table, rows.keySet(), page.rows.keySet()));
            }
            State known = before.get(index) == page.state ? page.state : State.UNKNOWN;
            if ((known == State.THERE && !isThere) || (known == State.GONE && isThere)) {
                throw new AssertionError(
                        "%s: %s is %s, and was found %s"
                                .formatted(table, page.rows.keySet(), known, isThere ? "" : "not"));
            }
            strange.keySet().removeAll(page.rows.keySet());
        }
        if (!strange.isEmpty()) {
            throw new AssertionError(table + ": nobody has written " + strange.keySet());
        }
    }

    @Override
    public void finish(Client client) {
        List<State> known = pages.stream().map(page -> page.state).toList();
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> check(pages, known, transaction.scan(table, 0, KEY_BOUND)));
    }
}
