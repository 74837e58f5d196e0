package io.cleave.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.testkit.SimEnv;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.txn.CommitOutcome.Unknown;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What two writers do to a store, each to keys of its own, and what must be there after: for each
/// writer all it was told is committed, perhaps the one commit that was under way, and nothing
/// else.
public final class Workload {
    public static final String TABLE = "/local/dir/t";
    private static final String OTHER = "/local/other";
    private static final int WRITERS = 2;
    private static final int COMMITS = 60;

    /// What a writer may be told when it cannot write.
    private static final Set<Status> CLEAR =
            Set.of(Status.UNAVAILABLE, Status.UNDETERMINED, Status.OVERLOADED);

    private enum Presence {
        ABSENT,
        PRESENT,
        EITHER
    }

    private final List<Writer> writers = new ArrayList<>();
    private final List<StatusException> refusals = new ArrayList<>();
    private boolean tableMade;
    private Presence other = Presence.ABSENT;

    public Workload(long seed) {
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(new Writer(writer, new Random(seed * WRITERS + writer)));
        }
    }

    /// Another that expects the same.
    Workload copy() {
        var copy = new Workload(0);
        copy.tableMade = tableMade;
        copy.other = other;
        for (int writer = 0; writer < WRITERS; writer++) {
            copy.writers.get(writer).acknowledged = writers.get(writer).acknowledged;
            copy.writers.get(writer).underWay = writers.get(writer).underWay;
        }
        return copy;
    }

    /// Runs all of it, in threads of the simulation; ends early when the store takes no more.
    public void run(DiskStore store, SimEnv env) {
        try {
            store.createTable(TABLE, 3);
            tableMade = true;
        } catch (StatusException e) {
            refused(e);
            return;
        }
        List<Thread> threads = new ArrayList<>();
        for (Writer writer : writers) {
            threads.add(env.spawn("writer", () -> writer.commitAll(store)));
        }
        threads.add(env.spawn("other", () -> makeAndDropOther(store)));
        threads.forEach(Workload::join);
        for (Writer writer : writers) {
            if (writer.bug != null) {
                throw new AssertionError("a writer was told nothing it can understand", writer.bug);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void makeAndDropOther(DiskStore store) {
        try {
            for (int round = 0; round < 3; round++) {
                other = Presence.EITHER;
                store.createTable(OTHER, 2);
                other = Presence.PRESENT;
                store.commit(OTHER, Map.of((long) round, "x"));
                other = Presence.EITHER;
                store.dropTable(OTHER);
                other = Presence.ABSENT;
            }
        } catch (StatusException e) {
            refused(e);
        }
    }

    /// The store has said that it takes no more, and stays with it.
    void checkRefused(DiskStore store, String when) {
        for (Writer writer : writers) {
            assertThat(writer.commitOne(store)).as(when).isFalse();
            assertThat(refusals.getLast().status()).as(when).isEqualTo(Status.UNAVAILABLE);
        }
    }

    private void refused(StatusException e) {
        assertThat(e.status()).as(e.getMessage()).isIn(CLEAR);
        refusals.add(e);
    }

    /// The store holds what it may, and takes from then on what it holds for the truth.
    void check(DiskStore store, String when) {
        if (!store.hasTable(TABLE)) {
            assertThat(tableMade).as(when).isFalse();
            return;
        }
        SortedMap<Long, String> found = store.readAll(TABLE);
        int claimed = 0;
        for (Writer writer : writers) {
            claimed += writer.check(found, when);
        }
        assertThat(found).as(when + ": rows that nobody wrote").hasSize(claimed);
        found.forEach((id, text) -> assertThat(store.get(TABLE, id)).as(when).isEqualTo(text));
        if (other != Presence.EITHER) {
            boolean isPresent = other == Presence.PRESENT;
            assertThat(store.hasTable(OTHER)).as(when).isEqualTo(isPresent);
        }
    }

    /// The store goes on: more of the same can be committed.
    void goOn(DiskStore store, String when) {
        if (!store.hasTable(TABLE)) {
            store.createTable(TABLE, 3);
        }
        if (store.hasTable(OTHER)) {
            store.dropTable(OTHER);
        }
        other = Presence.ABSENT;
        tableMade = true;
        for (Writer writer : writers) {
            for (int count = 0; count < 3; count++) {
                assertThat(writer.commitOne(store)).as(when).isTrue();
            }
        }
        check(store, when + ", going on");
    }

    private final class Writer {
        private final int number;
        private final Random random;

        /// After the last commit that was acknowledged, and after the one under way.
        private Map<Long, String> acknowledged = new HashMap<>();

        private @Nullable Map<Long, String> underWay;
        private @Nullable Throwable bug;

        Writer(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        void commitAll(DiskStore store) {
            try {
                boolean goesOn = true;
                for (int count = 0; goesOn && count < COMMITS; count++) {
                    goesOn = commitOne(store);
                }
            } catch (Throwable e) {
                bug = e;
            }
        }

        /// Several rows over all tablets; false when the store took it not or did not say.
        boolean commitOne(DiskStore store) {
            Map<Long, @Nullable String> rows = new TreeMap<>();
            Map<Long, String> after = new HashMap<>(acknowledged);
            for (int count = 1 + random.nextInt(6); count > 0; count--) {
                long id = spread(random.nextInt(40) * WRITERS + number);
                boolean erase = random.nextInt(4) == 0;
                String text = "v".repeat(random.nextInt(80)) + random.nextInt();
                rows.put(id, erase ? null : text);
            }
            rows.forEach(
                    (id, text) -> {
                        if (text == null) {
                            after.remove(id);
                        } else {
                            after.put(id, text);
                        }
                    });
            underWay = after;
            try {
                return took(store.commit(TABLE, rows), after);
            } catch (StatusException e) {
                refused(e);
                if (e.status() != Status.UNDETERMINED) {
                    underWay = null;
                }
                return false;
            }
        }

        private boolean took(CommitOutcome outcome, Map<Long, String> after) {
            return switch (outcome) {
                case Committed _ -> {
                    acknowledged = after;
                    underWay = null;
                    yield true;
                }
                case Conflict(String table, _) -> throw new AssertionError("a conflict in " + table);
                case Unknown(String why) -> {
                    refused(new StatusException(Status.UNDETERMINED, why));
                    yield false;
                }
            };
        }

        /// How many rows of what was found are this writer's.
        int check(Map<Long, String> found, String when) {
            Map<Long, String> mine = new HashMap<>(found);
            mine.keySet().removeIf(id -> unspread(id) % WRITERS != number);
            if (underWay != null && mine.equals(underWay)) {
                acknowledged = underWay;
            }
            assertThat(mine).as("%s, writer %d", when, number).isEqualTo(acknowledged);
            underWay = null;
            return mine.size();
        }
    }

    /// Even numbers of a small range, spread over all tablets of an evenly cut table.
    private static long spread(long number) {
        return number << 57 | number;
    }

    private static long unspread(long id) {
        return id & 0xFF;
    }
}
