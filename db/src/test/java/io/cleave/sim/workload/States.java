package io.cleave.sim.workload;

import io.cleave.schema.MountState;
import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client.Mode;
import io.cleave.sim.workload.Client.Stored;
import io.cleave.sim.workload.Client.Transaction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// A table whose tablets are mounted, unmounted, frozen, unfrozen and resharded by command while
/// clients write rows.
///
/// - No acknowledged row is lost, and a row that was refused never appears.
/// - Nothing is written to a tablet while it is unmounted or frozen.
/// - After a command has answered, its tablets have the state that it promises.
/// - In the end every tablet has a final state and can be mounted.
///
/// A key is written by one client at a time. A key whose last write may still happen is not written
/// again.
public final class States implements Workload {
    private static final int ROWS = 60;
    private static final int CUT = 20;

    /// The longest time between two looks at a closed table.
    private static final int QUIET_MILLIS = 30;

    /// The number of attempts to mount all tablets in the end.
    private static final int MOST_TRIES = 50;

    private final String table;
    private final Set<Long> taken = new HashSet<>();

    /// The values that each row may have. A null value is not a row.
    private final Map<Long, Set<Optional<String>>> possible = new ConcurrentHashMap<>();

    private long values;

    /// Whether a client is running a command on the table.
    private boolean isChanging;

    /// Whether a command was not answered. It may still run at any time.
    private boolean isUnsure;

    public States(String table) {
        this.table = table;
    }

    @Override
    public List<String> tables() {
        return List.of(table);
    }

    @Override
    public long keyBound() {
        return ROWS;
    }

    @Override
    public void setUp(Client client) {
        client.createTable(table, List.of((long) CUT, 2L * CUT));
        for (long key = 0; key < ROWS; key++) {
            possible.put(key, Set.of(Optional.empty()));
        }
    }

    @Override
    public void step(Client client, RandomGenerator random) {
        int dice = random.nextInt(10);
        if (dice == 0 && !isChanging) {
            isChanging = true;
            try {
                change(client, random);
            } finally {
                isChanging = false;
            }
        } else if (dice == 1) {
            checkQuiet(client, random);
        } else if (dice < 5) {
            look(client, random.nextInt(ROWS));
        } else {
            write(client, random);
        }
    }

    // ---- rows

    private void write(Client client, RandomGenerator random) {
        List<Long> keys = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            long key = random.nextInt(ROWS);
            if (taken.add(key)) {
                keys.add(key);
            }
        }
        if (keys.isEmpty()) {
            return;
        }
        Optional<String> value =
                random.nextInt(6) == 0 ? Optional.empty() : Optional.of("v" + ++values);
        Mode[] modes = {Mode.SERIALIZABLE, Mode.SNAPSHOT_WRITE, Mode.ROW_LOCKS};
        Outcome outcome =
                client.run(
                        modes[random.nextInt(modes.length)],
                        transaction -> keys.forEach(key -> put(transaction, key, value)));
        for (long key : keys) {
            switch (outcome) {
                case COMMITTED -> {
                    possible.put(key, Set.of(value));
                    taken.remove(key);
                }
                case ABORTED -> taken.remove(key);
                case UNKNOWN -> {
                    var all = new HashSet<>(values(key));
                    all.add(value);
                    possible.put(key, all);
                }
            }
        }
    }

    private void put(Transaction transaction, long key, Optional<String> value) {
        if (value.isPresent()) {
            transaction.put(table, key, value.get());
        } else {
            transaction.erase(table, key);
        }
    }

    private void look(Client client, long key) {
        if (taken.add(key)) {
            client.run(
                    Mode.SNAPSHOT_READ,
                    transaction -> check(key, Optional.ofNullable(transaction.get(table, key))));
            taken.remove(key);
        }
    }

    private void check(long key, Optional<String> found) {
        if (!values(key).contains(found)) {
            throw new AssertionError(
                    "%s: row %d is %s, and must be one of %s"
                            .formatted(table, key, found, values(key)));
        }
    }

    private Set<Optional<String>> values(long key) {
        return possible.getOrDefault(key, Set.of());
    }

    /// The rows of a tablet that is unmounted or frozen do not change.
    private void checkQuiet(Client client, RandomGenerator random) {
        Optional<Stored> before = client.stored(table);
        client.pauseMillis(1 + random.nextInt(QUIET_MILLIS));
        Optional<Stored> after = client.stored(table);
        if (before.isEmpty()
                || after.isEmpty()
                || before.get().version() != after.get().version()) {
            return;
        }
        for (int key = 0; key < ROWS; key++) {
            String was = before.get().rows().get((long) key);
            String is = after.get().rows().get((long) key);
            MountState state = before.get().states().get(key);
            boolean isClosed = state == MountState.UNMOUNTED || state == MountState.FROZEN;
            if (isClosed && !Optional.ofNullable(was).equals(Optional.ofNullable(is))) {
                throw new AssertionError(
                        "%s: row %d was %s and is %s, though its tablet was %s all the time"
                                .formatted(table, key, was, is, state));
            }
        }
    }

    // ---- states

    /// Runs a command that fits the state of a part of the table, or any command.
    private void change(Client client, RandomGenerator random) {
        Optional<Stored> now = client.stored(table);
        if (now.isEmpty()) {
            return;
        }
        boolean isAll = random.nextBoolean();
        MountState state = now.get().states().get(random.nextInt(ROWS));
        Command command = random.nextInt(6) == 0 ? any(random) : fitting(state, random);
        if (command == Command.RESHARD || command == Command.RESHARD_ONLINE) {
            run(client, command, ";pivot_keys=" + pivots(random), false);
        } else {
            int tablet = random.nextInt(3);
            String span =
                    ";first_tablet_index=%d;last_tablet_index=%d"
                            .formatted(tablet, tablet + random.nextInt(2));
            run(client, command, isAll ? "" : span, isAll);
        }
        checkQuiet(client, random);
    }

    private static Command fitting(MountState state, RandomGenerator random) {
        return switch (state) {
            case MOUNTED ->
                    switch (random.nextInt(3)) {
                        case 0 -> Command.UNMOUNT;
                        case 1 -> Command.FREEZE;
                        default -> Command.RESHARD_ONLINE;
                    };
            case UNMOUNTED ->
                    switch (random.nextInt(4)) {
                        case 0 -> Command.MOUNT_FROZEN;
                        case 1 -> Command.RESHARD;
                        default -> Command.MOUNT;
                    };
            case FROZEN -> random.nextInt(4) == 0 ? Command.UNMOUNT : Command.UNFREEZE;
            case MOUNTING, UNMOUNTING, FREEZING, UNFREEZING, FROZEN_MOUNTING -> Command.CANCEL;
        };
    }

    private static Command any(RandomGenerator random) {
        return Command.values()[random.nextInt(Command.values().length)];
    }

    private static String pivots(RandomGenerator random) {
        var pivots = new StringBuilder("[[]");
        for (long key = 1 + random.nextInt(ROWS / 2); key < ROWS; key += 1 + random.nextInt(ROWS)) {
            pivots.append(";[").append(key).append("u]");
        }
        return pivots.append(']').toString();
    }

    private enum Command {
        MOUNT("mount_table", "", MountState.MOUNTED),
        MOUNT_FROZEN("mount_table", ";freeze=%true", MountState.FROZEN),
        UNMOUNT("unmount_table", "", MountState.UNMOUNTED),
        UNMOUNT_FORCED("unmount_table", ";force=%true", MountState.UNMOUNTED),
        FREEZE("freeze_table", "", MountState.FROZEN),
        UNFREEZE("unfreeze_table", "", MountState.MOUNTED),
        REMOUNT("remount_table", "", null),
        CANCEL("cancel_tablet_transition", "", null),
        RESHARD("reshard_table", "", null),
        RESHARD_ONLINE("reshard_table", ";online=%true", null);

        private final String name;
        private final String parameters;

        /// The state after the command; empty if the command promises none.
        private final Optional<MountState> promised;

        Command(String name, String parameters, @Nullable MountState promised) {
            this.name = name;
            this.parameters = parameters;
            this.promised = Optional.ofNullable(promised);
        }
    }

    private void run(Client client, Command command, String parameters, boolean isAll) {
        Optional<String> answer =
                client.tableCommand(command.name, table, command.parameters + parameters);
        if (answer.isEmpty()) {
            isUnsure = true;
            return;
        }
        if (answer.get().equals("{}") && isAll && !isUnsure && command.promised.isPresent()) {
            client.stored(table)
                    .ifPresent(stored -> checkPromise(stored, command.promised.get(), command));
        }
    }

    private void checkPromise(Stored stored, MountState promised, Command command) {
        if (!stored.states().stream().allMatch(state -> state == promised)) {
            throw new AssertionError(
                    "%s: the states are %s after %s has answered"
                            .formatted(table, stored.states(), command));
        }
    }

    @Override
    public void finish(Client client) {
        Stored stored = insist(client);
        if (stored.states().stream().anyMatch(MountState::isTransient)) {
            throw new AssertionError(
                    "%s: no command runs, and the states are %s".formatted(table, stored.states()));
        }
        for (long key = 0; key < ROWS; key++) {
            check(key, Optional.ofNullable(stored.rows().get(key)));
        }
        run(client, Command.UNMOUNT_FORCED, "", false);
        run(client, Command.MOUNT, "", false);
        checkPromise(insist(client), MountState.MOUNTED, Command.MOUNT);
        client.insist(
                Mode.SERIALIZABLE,
                transaction -> {
                    for (long key = 0; key < ROWS; key++) {
                        check(key, Optional.ofNullable(transaction.get(table, key)));
                    }
                });
    }

    private Stored insist(Client client) {
        for (int count = 0; count < MOST_TRIES; count++) {
            Optional<Stored> stored = client.stored(table);
            if (stored.isPresent()) {
                return stored.get();
            }
        }
        throw new AssertionError(table + ": its rows cannot be read");
    }
}
