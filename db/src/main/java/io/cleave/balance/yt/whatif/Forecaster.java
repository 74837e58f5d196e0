package io.cleave.balance.yt.whatif;

import io.cleave.balance.BundleState;
import io.cleave.balance.CellRemoval;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Due;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.TableGroups;
import io.cleave.balance.yt.schedule.ClusterConfig;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.whatif.Forecast.Amount;
import io.cleave.balance.yt.whatif.Forecast.Change;
import io.cleave.balance.yt.whatif.Forecast.LeftAlone;
import io.cleave.balance.yt.whatif.Forecast.Round;
import io.cleave.balance.yt.whatif.Forecast.Sum;
import io.cleave.schema.Balancer;
import io.cleave.yt.error.YtException;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// Carries out on paper what the policy decides, round after round.
public final class Forecaster {
    /// Limit of the reasons that are listed.
    private static final int MOST_REASONS = 1000;

    private final Rules rules;
    private final ZoneId zone;

    /// The policy of tables with the balancer YT.
    public interface Rules {
        /// What it decides about everything in the state, with the reasons for tablets that are
        /// left alone, by table id.
        Map<Long, List<Decision>> decide(ClusterState state, KeyFacts facts);
    }

    public Forecaster(Rules rules, ZoneId zone) {
        this.rules = rules;
        this.zone = zone;
    }

    /// The answer to a question. Throws a [io.cleave.base.StatusException] that says what to do if
    /// something cannot be supposed.
    ///
    /// @param facts about the tablets of the state
    public Forecast answer(WhatIf question, ClusterState state, KeyFacts facts) {
        ClusterState part = SupposedCluster.part(state, question.bundle());
        BundleFigures before = BundleFigures.of(part, question.bundle());
        ClusterState supposed = SupposedCluster.withSettings(part, question);
        if (question.cellCount().isPresent()) {
            supposed = SupposedCluster.withCells(supposed, question.cellCount().getAsInt());
        }
        var predicted = new PredictedCluster(supposed, facts);
        long newTabletsFrom = predicted.nextId();
        var run = new Run(question, predicted);
        SequencedMap<Long, Amount> departures = departures(predicted);
        boolean isAtRest = run.go();
        return new Forecast(
                question.bundle(),
                question.at(),
                run.idleWithTables(),
                run.notes,
                departures,
                run.rounds,
                isAtRest,
                newTabletsFrom,
                before,
                BundleFigures.of(predicted.state(), question.bundle()),
                run.left);
    }

    /// Moves the tablets out of the cells that are being removed. Returns how many there are in
    /// each of these cells.
    private static SequencedMap<Long, Amount> departures(PredictedCluster predicted) {
        Map<Long, List<Decision>> changes = new LinkedHashMap<>();
        var departures = new TreeMap<Long, Amount>();
        CellRemoval.decide(predicted.state())
                .forEach(
                        (tableId, decisions) -> {
                            List<Decision> moves =
                                    decisions.stream().filter(Move.class::isInstance).toList();
                            changes.put(tableId, moves);
                            for (Decision decision : moves) {
                                var move = (Move) decision;
                                departures.merge(
                                        move.fromCellId(),
                                        new Amount(1, predicted.bytes(move.tabletId())),
                                        Amount::plus);
                            }
                        });
        predicted.apply(changes);
        predicted.dropRemovedCells();
        return departures;
    }

    /// The rounds of one question.
    private final class Run {
        private final WhatIf question;
        private final PredictedCluster predicted;

        /// The group of each table of the bundle that has settings, by table id.
        private final Map<Long, String> groups;

        private final List<String> notes = new ArrayList<>();
        private final SequencedMap<String, String> idle = new LinkedHashMap<>();
        private final List<Round> rounds = new ArrayList<>();
        private List<LeftAlone> left = List.of();

        Run(WhatIf question, PredictedCluster predicted) {
            this.question = question;
            this.predicted = predicted;
            groups = new LinkedHashMap<>();
            BundleState bundle = predicted.state().bundles().getFirst();
            try {
                ClusterConfig cluster = TableGroups.cluster(predicted.state());
                BundleSettings settings = TableGroups.settings(bundle);
                findGroups(settings);
                if (question.at().isPresent()) {
                    idle.putAll(
                            GroupTimes.idle(
                                    settings, cluster.schedule(), question.at().get(), zone));
                }
                if (!cluster.enable()) {
                    notes.add(
                            "the balancer is off: \"enable\" of //sys/tablet_balancer/config is"
                                    + " %false; this is what it would do if it were on");
                }
            } catch (YtException e) {
                notes.add(
                        "bundle '%s' has no rounds: %s".formatted(bundle.name(), e.error().text()));
            }
        }

        private void findGroups(BundleSettings settings) {
            for (TableState table : predicted.state().tables()) {
                if (isOurs(table)) {
                    TableGroups.of(table.table(), settings)
                            .ifPresent(group -> groups.put(table.table().id(), group));
                }
            }
        }

        /// The groups without a round that have tables; all of them if no group has tables.
        SequencedMap<String, String> idleWithTables() {
            var shown = new LinkedHashMap<>(idle);
            if (!groups.isEmpty()) {
                shown.keySet().retainAll(groups.values());
            }
            return shown;
        }

        private boolean isOurs(TableState table) {
            return table.balancer() == Balancer.YT && table.bundle().equals(question.bundle());
        }

        /// Returns whether the cluster came to rest.
        boolean go() {
            left = left(rules.decide(predicted.state(), predicted));
            for (int number = 0; number < question.mostRounds(); number++) {
                if (!round()) {
                    return true;
                }
            }
            return false;
        }

        /// Reshards what is due, and then moves what is due. Returns whether that changes anything.
        private boolean round() {
            List<Change> changes = new ArrayList<>();
            Map<String, Sum> sums = new TreeMap<>();
            for (Due.Kind kind : List.of(Due.Kind.RESHARD, Due.Kind.MOVE)) {
                ClusterState state = predicted.state().withDue(due(kind));
                step(rules.decide(state, predicted), changes, sums);
            }
            if (changes.isEmpty()) {
                return false;
            }
            rounds.add(new Round(changes, sums));
            return true;
        }

        private Set<Due> due(Due.Kind kind) {
            Set<Due> due = new HashSet<>();
            for (String group : groups.values()) {
                if (!idle.containsKey(group)) {
                    due.add(new Due(question.bundle(), group, kind));
                }
            }
            return due;
        }

        private void step(
                Map<Long, List<Decision>> all, List<Change> changes, Map<String, Sum> sums) {
            Map<Long, List<Decision>> ofTables = new LinkedHashMap<>();
            for (TableState table : predicted.state().tables()) {
                long tableId = table.table().id();
                for (Decision decision : all.getOrDefault(tableId, List.of())) {
                    Optional<Sum> sum = sum(decision);
                    if (sum.isPresent()) {
                        sums.merge(groups.getOrDefault(tableId, ""), sum.get(), Sum::plus);
                        changes.add(new Change(table.table(), decision));
                        ofTables.computeIfAbsent(tableId, _ -> new ArrayList<>()).add(decision);
                    }
                }
            }
            predicted.apply(ofTables);
        }

        /// Empty if the decision changes nothing.
        private Optional<Sum> sum(Decision decision) {
            long bytes = decision.tabletIds().stream().mapToLong(predicted::bytes).sum();
            var amount = new Amount(decision.tabletIds().size(), bytes);
            return switch (decision) {
                case Reshard reshard ->
                        Optional.of(new Sum(1, amount, reshard.keys().size() + 1, Amount.NONE));
                case Move _ -> Optional.of(new Sum(0, Amount.NONE, 0, amount));
                default -> Optional.empty();
            };
        }

        private record Reason(String path, Rule rule, String why) {}

        private List<LeftAlone> left(Map<Long, List<Decision>> all) {
            var reasons = new LinkedHashMap<Reason, LeftAlone>();
            for (TableState table : predicted.state().tables()) {
                String why = idle.get(groups.getOrDefault(table.table().id(), ""));
                if (!isOurs(table)) {
                    continue;
                }
                if (why != null) {
                    table.tablets()
                            .forEach(
                                    tablet ->
                                            count(
                                                    reasons,
                                                    table,
                                                    Rule.RESHARD_BY_SIZE,
                                                    why,
                                                    tablet.tabletId()));
                } else {
                    for (Decision decision : all.getOrDefault(table.table().id(), List.of())) {
                        if (decision instanceof Leave leave) {
                            count(reasons, table, leave.rule(), leave.why(), leave.tabletId());
                        }
                    }
                }
            }
            return List.copyOf(reasons.values());
        }

        private static void count(
                Map<Reason, LeftAlone> reasons,
                TableState table,
                Rule rule,
                String why,
                long tabletId) {
            var reason = new Reason(table.table().path(), rule, why);
            LeftAlone known = reasons.get(reason);
            if (known != null || reasons.size() < MOST_REASONS) {
                int count = known == null ? 1 : known.tablets() + 1;
                long example = known == null ? tabletId : known.example();
                reasons.put(reason, new LeftAlone(reason.path, rule, why, count, example));
            }
        }
    }
}
