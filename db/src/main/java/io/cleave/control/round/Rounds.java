package io.cleave.control.round;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Due;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.RoundGroups;
import io.cleave.balance.yt.RoundGroups.Cluster;
import io.cleave.balance.yt.RoundGroups.Found;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.schedule.MinuteCheck;
import io.cleave.balance.yt.schedule.MinuteCheck.Missed;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.RoundRows;
import io.cleave.catalog.RoundRows.Group;
import io.cleave.catalog.RoundRows.Pending;
import io.cleave.catalog.RoundRows.Round;
import io.cleave.control.round.RoundCluster.Decided;
import io.cleave.schema.Table;
import io.cleave.yt.error.YtError;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The iterations of YTsaurus' rules. An iteration does this for each group of each bundle of which
/// no change is unfinished:
///
/// 1. Plan the moves that are pending since the iteration before.
/// 2. Test the schedule at the minutes since the group's latest start. If it fires, plan reshards,
///    and moves are pending for the next iteration. If moves were planned in step 1, the reshards
///    wait for the next iteration, too.
/// 3. Store the start, and what is pending, by one commit for all groups. Then begin the changes.
///
/// Threads: one at a time, except [#errors].
public final class Rounds {
    private static final System.Logger LOGGER = System.getLogger(Rounds.class.getName());

    private final RoundCluster cluster;
    private final RoundActions actions;
    private final RoundRows rows;
    private final Env env;
    private final RoundGroups settings = new RoundGroups();
    private final BundleErrors errors = new BundleErrors();

    /// What is stored; null until it was read.
    private @Nullable Map<Group, Round> stored;

    /// The start of the latest iteration of this process that was stored; empty while nothing is
    /// balanced. From it on, the minutes of a group are tested that had no tables then.
    private Optional<Instant> latest = Optional.empty();

    /// When the latest iteration began; at first, when the node did.
    private OptionalLong beganNanos = OptionalLong.empty();

    public Rounds(RoundCluster cluster, RoundActions actions, RoundRows rows, Env env) {
        this.cluster = cluster;
        this.actions = actions;
        this.rows = rows;
        this.env = env;
    }

    /// What keeps bundles from being balanced.
    public BundleErrors errors() {
        return errors;
    }

    /// Runs an iteration if it is time for one. Called about once a second.
    public void look() {
        long now = env.nanoTime();
        if (beganNanos.isEmpty()) {
            beganNanos = OptionalLong.of(now);
        }
        ClusterConfig config = ClusterConfig.DEFAULT;
        Optional<String> broken = Optional.empty();
        switch (settings.cluster(cluster.config())) {
            case Cluster.Read(ClusterConfig read) -> config = read;
            case Cluster.Broken(String why) -> broken = Optional.of(why);
        }
        if (now - beganNanos.getAsLong() < config.period().toNanos()) {
            return;
        }
        beganNanos = OptionalLong.of(now);
        errors.expire(env.wallMicros());
        if (broken.isPresent()) {
            String why = "//sys/tablet_balancer/config: " + broken.get();
            cluster.bundles().forEach(bundle -> fail(bundle.name(), why));
            return;
        }
        iterate(config);
    }

    private void iterate(ClusterConfig config) {
        try {
            Map<Group, Round> known = stored();
            if (config.enable()) {
                new Iteration(config, known).run();
            } else {
                // Nobody wants the minutes of this time to be made up later.
                store(known, Map.of());
                latest = Optional.empty();
            }
        } catch (StatusException e) {
            // The system cell takes no writes. The minutes are tested later.
            LOGGER.log(System.Logger.Level.DEBUG, "a round was not stored", e);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "an iteration of the balancer failed", e);
        }
    }

    private Map<Group, Round> stored() {
        if (stored == null) {
            stored = rows.all();
        }
        return stored;
    }

    private void store(Map<Group, Round> before, Map<Group, Round> after) {
        Map<Group, Round> puts = new LinkedHashMap<>();
        after.forEach(
                (group, round) -> {
                    if (!round.equals(before.get(group))) {
                        puts.put(group, round);
                    }
                });
        Set<Group> removals = new HashSet<>(before.keySet());
        removals.removeAll(after.keySet());
        try {
            rows.change(puts, removals);
        } catch (RuntimeException e) {
            // What is stored now is not known.
            stored = null;
            throw e;
        }
        stored = Map.copyOf(after);
    }

    private void fail(String bundle, String why) {
        errors.add(bundle, why, env.wallMicros());
    }

    /// One iteration.
    private final class Iteration {
        private final ClusterConfig config;
        private final Map<Group, Round> before;
        private final Instant now;

        private final Map<Group, Round> after = new HashMap<>();

        /// By table id.
        private final Map<Long, RoundGroups.Group> groupOf = new HashMap<>();

        private final Set<RoundGroups.Group> moved = new HashSet<>();

        private final Map<RoundGroups.Group, Missed> missedBy = new HashMap<>();

        private final List<Decided> decided = new ArrayList<>();

        Iteration(ClusterConfig config, Map<Group, Round> before) {
            this.config = config;
            this.before = before;
            now = Instant.EPOCH.plus(env.wallMicros(), ChronoUnit.MICROS);
        }

        void run() {
            Found found = settings.find(config, cluster.bundles(), cluster.tables());
            found.problems().forEach(problem -> fail(problem.bundle(), problem.text()));
            Set<String> busy = new HashSet<>();
            found.bundles().stream().filter(actions::isBusy).forEach(busy::add);
            keepSkipped(found, busy);
            List<RoundGroups.Group> groups =
                    found.groups().stream()
                            .filter(group -> !busy.contains(group.bundle()))
                            .toList();
            for (RoundGroups.Group group : groups) {
                group.tables().forEach(table -> groupOf.put(table.id(), group));
            }
            planMoves(groups);
            planReshards(groups);
            store(before, after);
            latest = Optional.of(now);
            missedBy.forEach((group, missed) -> group.tables().forEach(each -> note(each, missed)));
            decided.forEach(this::begin);
        }

        /// A bundle that is skipped keeps its starts, and its minutes are tested later. A group
        /// that has no tables any more is forgotten.
        private void keepSkipped(Found found, Set<String> busy) {
            Set<String> there = new HashSet<>();
            cluster.bundles().forEach(bundle -> there.add(bundle.name()));
            before.forEach(
                    (group, round) -> {
                        boolean isReadable = found.bundles().contains(group.bundle());
                        if (there.contains(group.bundle())
                                && (busy.contains(group.bundle()) || !isReadable)) {
                            after.put(group, round);
                        }
                    });
        }

        private static Group key(RoundGroups.Group group) {
            return new Group(group.bundle(), group.name());
        }

        private boolean isPending(RoundGroups.Group group, Pending pending) {
            Round round = before.get(key(group));
            return round != null && round.pending() == pending;
        }

        private void planMoves(List<RoundGroups.Group> groups) {
            Set<Due> due = new HashSet<>();
            for (RoundGroups.Group group : groups) {
                if (isPending(group, Pending.MOVES)) {
                    due.add(new Due(group.bundle(), group.name(), Due.Kind.MOVE));
                }
            }
            decide(due)
                    .forEach(
                            tableId ->
                                    Optional.ofNullable(groupOf.get(tableId))
                                            .ifPresent(moved::add));
        }

        private void planReshards(List<RoundGroups.Group> groups) {
            Set<Due> due = new HashSet<>();
            for (RoundGroups.Group group : groups) {
                MinuteCheck check = check(group);
                boolean isFired = check.fired().isPresent() || isPending(group, Pending.RESHARDS);
                Pending pending = Pending.NOTHING;
                if (isFired && moved.contains(group)) {
                    pending = Pending.RESHARDS;
                } else if (isFired) {
                    due.add(new Due(group.bundle(), group.name(), Due.Kind.RESHARD));
                    pending = Pending.MOVES;
                }
                long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, check.start());
                after.put(key(group), new Round(startMicros, pending));
            }
            decide(due);
        }

        private MinuteCheck check(RoundGroups.Group group) {
            Optional<Instant> previous =
                    Optional.ofNullable(before.get(key(group)))
                            .map(
                                    round ->
                                            Instant.EPOCH.plus(
                                                    round.startMicros(), ChronoUnit.MICROS))
                            .or(() -> latest.filter(start -> !start.isAfter(now)));
            MinuteCheck check =
                    MinuteCheck.of(group.schedule(), previous, now, config.period(), env.zone());
            check.errors().forEach(error -> fail(group.bundle(), text(error)));
            check.missed().ifPresent(missed -> missedBy.put(group, missed));
            return check;
        }

        /// Returns the ids of the tables that are to be changed.
        private Set<Long> decide(Set<Due> due) {
            Set<Long> changed = new HashSet<>();
            if (!due.isEmpty()) {
                Decided plan = cluster.decide(due);
                decided.add(plan);
                plan.problems()
                        .forEach((bundle, texts) -> texts.forEach(text -> fail(bundle, text)));
                plan.decisions()
                        .forEach(
                                (tableId, decisions) -> {
                                    if (decisions.stream().anyMatch(Rounds::isChange)) {
                                        changed.add(tableId);
                                    }
                                });
            }
            return changed;
        }

        private void note(Table table, Missed missed) {
            try {
                actions.missed(table, missed);
            } catch (StatusException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        () -> "%s was dropped: %s".formatted(table.path(), e.getMessage()));
            }
        }

        private void begin(Decided plan) {
            for (TableState table : plan.cluster().tables()) {
                List<Decision> decisions =
                        plan.decisions().getOrDefault(table.table().id(), List.of());
                if (!decisions.isEmpty()) {
                    actions.begin(plan.cluster(), table, decisions);
                }
            }
        }
    }

    private static boolean isChange(Decision decision) {
        return !(decision instanceof Leave) && !(decision instanceof Warn);
    }

    /// The message, and those of the errors inside it.
    private static String text(YtError error) {
        var text = new StringBuilder(error.message());
        error.innerErrors().forEach(inner -> text.append(": ").append(text(inner)));
        return text.toString();
    }
}
