package io.cleave.node;

import io.cleave.balance.yt.schedule.BundleRounds;
import io.cleave.balance.yt.schedule.Schedule;
import io.cleave.balance.yt.whatif.WhatIf;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.console.BundlePlan;
import io.cleave.console.Operations;
import io.cleave.console.RoundList;
import io.cleave.control.DecisionAnswer;
import io.cleave.control.TabletBalancer;
import io.cleave.control.TabletDecision;
import io.cleave.query.CallerDatabase;
import io.cleave.schema.Table;
import io.cleave.tree.CypressTree;
import io.cleave.yt.tree.NextBalancing;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;

/// Carries out the operations of operators, who write keys as text.
record TableOperations(
        CallerDatabase caller,
        Tablets tablets,
        Resharding resharding,
        TabletBalancer balancer,
        CypressTree tree)
        implements Operations {
    @Override
    public void freeze(long cellId, long seconds) {
        tablets.replicas().freeze(cellId, Duration.ofSeconds(seconds));
    }

    @Override
    public void compact(String table) {
        tablets.compact(table);
    }

    @Override
    public List<TabletRow> tablets(String path) {
        Table table = tablets.table(path);
        return rows(table, caller.tree().tablets(table));
    }

    @Override
    public List<TabletRow> split(String path, List<String> keys, OptionalLong tabletId) {
        Table table = tablets.table(path);
        if (keys.isEmpty()) {
            return rows(table, resharding.split(path, tabletId.orElseGet(() -> largest(table))));
        }
        if (tabletId.isPresent()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "one tablet is split in halves, or tablets are split at keys: give a tablet or"
                            + " keys, not both");
        }
        List<Bytes> cuts = keys.stream().map(key -> KeyText.parse(table, key)).toList();
        return rows(table, resharding.split(path, cuts));
    }

    private long largest(Table table) {
        return caller.tree().tablets(table).stream()
                .max(Comparator.comparingLong(TabletInfo::bytes))
                .orElseThrow()
                .tabletId();
    }

    @Override
    public TabletRow merge(String path, List<Stretch> stretches) {
        Table table = tablets.table(path);
        List<Long> all = caller.tree().tablets(table).stream().map(TabletInfo::tabletId).toList();
        List<Long> chosen = new ArrayList<>();
        for (Stretch stretch : stretches) {
            if (stretch.firstId() == stretch.lastId()) {
                chosen.add(stretch.firstId());
            } else {
                chosen.addAll(between(path, all, stretch));
            }
        }
        return row(table, resharding.merge(path, chosen));
    }

    private static List<Long> between(String path, List<Long> all, Stretch stretch) {
        int first = all.indexOf(stretch.firstId());
        int last = all.indexOf(stretch.lastId());
        if (first < 0 || last < first) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "%s has no tablets %d to %d in key order; './cleave tablets' lists them"
                            .formatted(path, stretch.firstId(), stretch.lastId()));
        }
        return all.subList(first, last + 1);
    }

    @Override
    public TabletRow move(String path, long tabletId, long cellId) {
        Table table = tablets.table(path);
        return row(table, resharding.move(path, tabletId, cellId));
    }

    @Override
    public Decisions why(String path, Optional<String> key) {
        Table table = tablets.table(path);
        Optional<Bytes> encoded = key.map(text -> KeyText.parse(table, text));
        DecisionAnswer answer = balancer.decisions(table, encoded);
        return new Decisions(
                answer.entries().stream().map(TableOperations::row).toList(),
                answer.hasOlder(),
                answer.sinceMicros(),
                new PresentReasons(tree, balancer).of(table, encoded));
    }

    @Override
    public List<DecisionRow> plan(String path) {
        return balancer.plans().of(tablets.table(path)).stream().map(TableOperations::row).toList();
    }

    @Override
    public BundlePlan plan(BundlePlan.Question asked) {
        checkBundle(asked.bundle());
        ZoneId zone = tree.env().zone();
        Instant now = Instant.EPOCH.plus(tree.env().wallMicros(), ChronoUnit.MICROS);
        WhatIf question =
                BundlePlans.question(asked, path -> tablets.table(inTree(path)).path(), now, zone);
        return BundlePlans.answer(
                question, balancer.plans().of(question), notes(asked.bundle()), zone);
    }

    /// YTsaurus' clients begin paths with two slashes.
    private static String inTree(String path) {
        return path.startsWith("//") ? path.substring(2) : path;
    }

    private void checkBundle(String bundle) {
        List<String> bundles = NextBalancing.bundles(tree);
        if (!bundles.contains(bundle)) {
            throw new StatusException(
                    Status.NOT_FOUND,
                    "there is no bundle '%s'; there are: %s"
                            .formatted(bundle, String.join(", ", bundles)));
        }
    }

    @Override
    public RoundList rounds(String bundle) {
        checkBundle(bundle);
        BundleRounds rounds = NextBalancing.of(tree.view(), tree.database(), bundle, tree.env());
        return new RoundList(
                bundle,
                rounds.zone(),
                rounds.from(),
                rounds.to(),
                rounds.none(),
                rounds.groups().stream().map(TableOperations::group).toList(),
                notes(bundle),
                now(bundle));
    }

    private List<String> notes(String bundle) {
        List<String> notes = new ArrayList<>();
        if (!balancer.settings().enabled()) {
            notes.add("automatic changes are off on this server; decisions are only noted");
        }
        if (balancer.isBusy(bundle)) {
            notes.add("the bundle has unfinished actions; it has no round until they end");
        }
        balancer.bundleErrors().of(bundle).stream()
                .map(error -> "error at %s: %s".formatted(time(error.micros()), error.text()))
                .forEach(notes::add);
        return notes;
    }

    private static String time(long micros) {
        return Instant.EPOCH
                .plus(micros, ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    private SequencedMap<String, BundlePlan.Work> now(String bundle) {
        var now = new LinkedHashMap<String, BundlePlan.Work>();
        if (!resharding.bundles().getOrDefault(bundle, List.of()).isEmpty()) {
            balancer.plans()
                    .of(WhatIf.now(bundle, 1))
                    .rounds()
                    .forEach(
                            round ->
                                    round.groups()
                                            .forEach(
                                                    (group, sum) ->
                                                            now.put(group, BundlePlans.work(sum))));
        }
        return now;
    }

    private static RoundList.Group group(BundleRounds.GroupRounds group) {
        Schedule schedule = group.schedule();
        var plan =
                new RoundList.Plan(
                        schedule.formula().text(),
                        schedule.origin().name().toLowerCase(Locale.ROOT),
                        group.rounds().ranges().stream()
                                .map(range -> new RoundList.Range(range.from(), range.to()))
                                .toList(),
                        group.none(),
                        group.problem());
        return new RoundList.Group(schedule.group(), plan);
    }

    static DecisionRow row(TabletDecision entry) {
        return new DecisionRow(
                entry.micros(),
                entry.lastMicros(),
                entry.kind(),
                entry.rule(),
                entry.tabletIds(),
                entry.text(),
                entry.figures().stream()
                        .map(
                                figure ->
                                        new FigureRow(
                                                figure.name(),
                                                figure.value(),
                                                figure.threshold(),
                                                figure.unit().name()))
                        .toList(),
                entry.keys(),
                entry.rejected(),
                entry.state().name(),
                entry.durationMicros(),
                entry.outcome(),
                entry.helped().name(),
                entry.verdict(),
                entry.action());
    }

    @Override
    public Map<String, List<Long>> bundles() {
        return resharding.bundles();
    }

    @Override
    public void putBundle(String name, List<Long> cellIds) {
        resharding.putBundle(name, cellIds);
    }

    private static List<TabletRow> rows(Table table, List<TabletInfo> tablets) {
        return tablets.stream().map(tablet -> row(table, tablet)).toList();
    }

    private static TabletRow row(Table table, TabletInfo tablet) {
        Bytes from = tablet.range().from();
        return new TabletRow(
                tablet.tabletId(),
                tablet.cellId(),
                tablet.epoch(),
                key(table, from.isEmpty() ? null : from),
                key(table, tablet.range().to()),
                tablet.rows(),
                tablet.bytes(),
                tablet.load().readsPerSecond(),
                tablet.load().writesPerSecond(),
                TimeUnit.MICROSECONDS.toSeconds(tablet.ageMicros()));
    }

    private static @Nullable String key(Table table, @Nullable Bytes key) {
        return key == null ? null : KeyText.of(table, key);
    }
}
