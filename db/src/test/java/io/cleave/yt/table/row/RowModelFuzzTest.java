package io.cleave.yt.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.blob.MemoryBlobs;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Random commands on rows and tablet transactions, compared with a plain model, while tablets are
/// split, merged, moved and compacted and the store is restarted. `-Dops=` sets how many.
class RowModelFuzzTest {
    private static final int OPS = Integer.getInteger("ops", 3_000);
    private static final int KEYS = 12;
    private static final String[] COLUMNS = {"a", "b", "c"};

    /// Memtables of a few kilobytes, so that versions are in files too.
    private static final CellOptions TINY =
            new CellOptions(4 << 10, 240L << 20, 32L << 20, 384L << 20, 10_000);

    /// One row; a null value is NULL.
    private record Row(Long a, Long b, Long c) {}

    /// A commit's change of one row. `groups` has bit 0 for the primary lock group.
    private record Change(int commit, int groups, boolean isExclusive) {}

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    /// The rows after each commit; the index is the number of commits.
    private final List<TreeMap<Integer, Row>> states = new ArrayList<>();

    private final Map<Integer, List<Change>> changes = new HashMap<>();
    private final Map<String, Open> open = new HashMap<>();

    /// The commits that wrote or deleted a row, by key: whether they deleted it.
    private final Map<Integer, List<Boolean>> deletions = new HashMap<>();

    private final List<String> moments = new ArrayList<>();
    private final Map<String, Integer> commitsAt = new HashMap<>();
    private final List<String> trace = new ArrayList<>();
    private int names;

    /// A transaction of the model: what it will change, in order.
    private static final class Open {
        final int start;
        final List<Step> steps = new ArrayList<>();

        Open(int start) {
            this.start = start;
        }
    }

    private enum Kind {
        REPLACE,
        UPDATE,
        DELETE,
        SHARED_WEAK,
        SHARED_STRONG,
        EXCLUSIVE;

        boolean isLock() {
            return this == SHARED_WEAK || this == SHARED_STRONG || this == EXCLUSIVE;
        }
    }

    private record Step(Kind kind, int key, Long[] values, int groups) {}

    @Test
    void commandsOnRowsDoWhatThePlainModelDoes() {
        states.add(new TreeMap<>());
        try (var bench = new RowBench(new TestStore(TINY, new MemoryBlobs(), 3))) {
            bench.yql("CREATE TABLE t (k Int64, a Int64, b Int64, c Int64, PRIMARY KEY (k));");
            bench.lock("t", Map.of("a", "ga", "b", "gb"));
            bench.keepHistory("t", 3_600_000);
            for (int op = 0; op < OPS; op++) {
                step(bench);
            }
        } catch (RuntimeException | AssertionError e) {
            int from = Math.max(0, trace.size() - 25);
            throw new AssertionError(
                    "-Dseed=%d%n%s"
                            .formatted(seed, String.join("\n", trace.subList(from, trace.size()))),
                    e);
        }
    }

    private void step(RowBench bench) {
        int dice = random.nextInt(100);
        if (dice < 20) {
            List<Step> steps = steps(1 + random.nextInt(3), false);
            Kind kind = steps.getFirst().kind;
            steps =
                    steps.stream()
                            .map(s -> new Step(kind, s.key, s.values, groups(kind, s)))
                            .toList();
            check("{}", run(bench, kind, steps, ""));
            commit(steps);
        } else if (dice < 35) {
            lookup(bench, "", states.getLast());
        } else if (dice < 45 && open.size() < 4) {
            String name = "tx" + names++ + "x";
            trace.add("start " + name);
            bench.start(name);
            open.put(name, new Open(states.size() - 1));
        } else if (dice < 65 && !open.isEmpty()) {
            modify(bench, any());
        } else if (dice < 72 && !open.isEmpty()) {
            String name = any();
            lookup(bench, ";transaction_id=\"$" + name + "\"", states.get(open.get(name).start));
        } else if (dice < 84 && !open.isEmpty()) {
            finish(bench, any());
        } else if (dice < 87) {
            String name = "moment" + names++ + "m";
            bench.remember(name);
            moments.add(name);
            commitsAt.put(name, states.size() - 1);
        } else if (dice < 91 && !moments.isEmpty()) {
            String name = moments.get(random.nextInt(moments.size()));
            lookup(bench, ";timestamp=$" + name, states.get(commitsAt.get(name)));
        } else if (dice < 94) {
            versions(bench);
        } else if (dice < 97) {
            trace.add("shake");
            bench.shake("t");
        } else if (dice < 99) {
            trace.add("compact");
            bench.compact("t");
        } else if (random.nextInt(5) == 0) {
            trace.add("restart");
            bench.restart();
            open.clear();
        }
    }

    private String any() {
        List<String> all = new ArrayList<>(open.keySet());
        all.sort(null);
        return all.get(random.nextInt(all.size()));
    }

    private void modify(RowBench bench, String name) {
        List<Step> steps = steps(1 + random.nextInt(2), true);
        Kind kind = steps.getFirst().kind;
        int lockGroups = 1 << random.nextInt(3);
        steps =
                steps.stream()
                        .map(
                                s ->
                                        new Step(
                                                kind,
                                                s.key,
                                                s.values,
                                                kind.isLock() ? lockGroups : groups(kind, s)))
                        .toList();
        String more = ";transaction_id=\"$" + name + "\"";
        check("{}", run(bench, kind, steps, more));
        open.get(name).steps.addAll(steps);
    }

    private void finish(RowBench bench, String name) {
        Open ended = open.remove(name);
        if (random.nextInt(8) == 0) {
            trace.add("abort " + name);
            check("ok", bench.abort(name));
            return;
        }
        String answer = bench.commit(name);
        boolean isConflict = hasConflict(ended);
        trace.add("commit " + name + ": " + answer.lines().reduce("", (_, last) -> last));
        assertThat(answer.contains("1700")).as(answer).isEqualTo(isConflict);
        if (!isConflict) {
            check("ok", answer);
            if (!ended.steps.isEmpty()) {
                commit(ended.steps);
            }
        }
    }

    private boolean hasConflict(Open ended) {
        for (Step step : ended.steps) {
            boolean writes = step.kind != Kind.SHARED_WEAK && step.kind != Kind.SHARED_STRONG;
            for (Change change : changes.getOrDefault(step.key, List.of())) {
                if (change.commit > ended.start
                        && (writes || change.isExclusive)
                        && overlap(step.groups, change.groups)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean overlap(int some, int others) {
        return (some & others) != 0 || ((some | others) & 1) != 0;
    }

    /// Applies the steps as the next commit.
    private void commit(List<Step> steps) {
        var next = new TreeMap<>(states.getLast());
        int number = states.size();
        var last = new TreeMap<Integer, Boolean>();
        steps.stream()
                .filter(step -> !step.kind.isLock())
                .forEach(step -> last.put(step.key, step.kind == Kind.DELETE));
        last.forEach(
                (key, isDeleted) ->
                        deletions.computeIfAbsent(key, _ -> new ArrayList<>()).add(isDeleted));
        for (Step step : steps) {
            if (step.kind != Kind.SHARED_WEAK) {
                boolean isExclusive = step.kind != Kind.SHARED_STRONG;
                changes.computeIfAbsent(step.key, _ -> new ArrayList<>())
                        .add(new Change(number, step.groups, isExclusive));
            }
            Row old = next.getOrDefault(step.key, new Row(null, null, null));
            switch (step.kind) {
                case REPLACE ->
                        next.put(step.key, new Row(step.values[0], step.values[1], step.values[2]));
                case UPDATE ->
                        next.put(
                                step.key,
                                new Row(
                                        step.values[0] == null ? old.a : step.values[0],
                                        step.values[1] == null ? old.b : step.values[1],
                                        step.values[2] == null ? old.c : step.values[2]));
                case DELETE -> next.remove(step.key);
                case SHARED_WEAK, SHARED_STRONG, EXCLUSIVE -> {}
            }
        }
        states.add(next);
    }

    /// All versions are kept, so the timestamps of a row are those of its commits.
    private void versions(RowBench bench) {
        int key = random.nextInt(KEYS);
        trace.add("versions of " + key);
        String found =
                bench.run(
                        "lookup_rows",
                        "{path=\"//t\";versioned=%true;keep_missing_rows=%true}",
                        "{k=%d};".formatted(key));
        List<Boolean> known = deletions.getOrDefault(key, List.of());
        if (known.isEmpty()) {
            check("#;", found.strip());
            return;
        }
        long deleted = known.stream().filter(each -> each).count();
        assertThat(timestamps(found, "write_timestamps")).isEqualTo(known.size() - deleted);
        assertThat(timestamps(found, "delete_timestamps")).isEqualTo(deleted);
    }

    private static long timestamps(String row, String name) {
        var list = Pattern.compile("\"%s\"=\\[([^\\]]*)\\]".formatted(name)).matcher(row);
        assertThat(list.find()).as(row).isTrue();
        return list.group(1).chars().filter(letter -> letter == 'T').count();
    }

    private static int groups(Kind kind, Step step) {
        if (kind != Kind.UPDATE) {
            return 1;
        }
        int groups = (step.values[0] == null ? 0 : 2) | (step.values[1] == null ? 0 : 4);
        groups |= step.values[2] == null ? 0 : 1;
        return groups == 0 ? 1 : groups;
    }

    private List<Step> steps(int count, boolean locks) {
        Kind kind = Kind.values()[random.nextInt(locks ? Kind.values().length : 3)];
        List<Step> steps = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            Long[] values = new Long[COLUMNS.length];
            for (int column = 0; column < values.length; column++) {
                values[column] = random.nextBoolean() ? (Long) random.nextLong(1000) : null;
            }
            steps.add(new Step(kind, random.nextInt(KEYS), values, 0));
        }
        return steps;
    }

    private String run(RowBench bench, Kind kind, List<Step> steps, String more) {
        var rows = new StringBuilder();
        for (Step step : steps) {
            rows.append("{k=").append(step.key);
            for (int column = 0; column < COLUMNS.length; column++) {
                boolean isGiven = kind == Kind.REPLACE || kind == Kind.UPDATE;
                if (isGiven && step.values[column] != null) {
                    rows.append(';')
                            .append(COLUMNS[column])
                            .append('=')
                            .append(step.values[column]);
                }
            }
            rows.append("};");
        }
        String command =
                switch (kind) {
                    case REPLACE, UPDATE -> "insert_rows";
                    case DELETE -> "delete_rows";
                    case SHARED_WEAK, SHARED_STRONG, EXCLUSIVE -> "lock_rows";
                };
        String options = kind == Kind.UPDATE ? ";update=%true" : "";
        if (kind.isLock()) {
            String[] names = {"<primary>", "ga", "gb"};
            String group = names[Integer.numberOfTrailingZeros(steps.getFirst().groups)];
            options = ";lock_type=" + kind.name().toLowerCase(java.util.Locale.ROOT);
            options += ";locks=[\"" + group + "\"]";
        }
        trace.add(command + options + more + " " + rows);
        return bench.run(command, "{path=\"//t\"" + options + more + "}", rows.toString());
    }

    private void lookup(RowBench bench, String more, TreeMap<Integer, Row> expected) {
        var keys = new StringBuilder();
        var rows = new StringBuilder();
        int count = 1 + random.nextInt(4);
        for (int index = 0; index < count; index++) {
            int key = random.nextInt(KEYS);
            keys.append("{k=").append(key).append("};");
            Row row = expected.get(key);
            rows.append(
                    row == null
                            ? "#;\n"
                            : "{\"k\"=%d;\"a\"=%s;\"b\"=%s;\"c\"=%s};\n"
                                    .formatted(key, text(row.a), text(row.b), text(row.c)));
        }
        trace.add("lookup" + more + " " + keys);
        String found =
                bench.run(
                        "lookup_rows",
                        "{path=\"//t\";keep_missing_rows=%true" + more + "}",
                        keys.toString());
        check(rows.toString().strip(), found.strip());
    }

    private static String text(Long value) {
        return value == null ? "#" : value.toString();
    }

    private static void check(String expected, String actual) {
        assertThat(actual).isEqualTo(expected);
    }
}
