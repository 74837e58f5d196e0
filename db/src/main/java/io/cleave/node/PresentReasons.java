package io.cleave.node;

import io.cleave.balance.BundleState;
import io.cleave.balance.yt.TableGroups;
import io.cleave.balance.yt.schedule.BundleRounds;
import io.cleave.balance.yt.schedule.BundleRounds.GroupRounds;
import io.cleave.base.Bytes;
import io.cleave.cluster.Bundles;
import io.cleave.console.Operations.Present;
import io.cleave.control.TabletBalancer;
import io.cleave.control.TabletDecision;
import io.cleave.schema.Table;
import io.cleave.tree.CypressTree;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.NextBalancing;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What YTsaurus' rules would do with the tablets of a table now, and why they leave the others
/// alone. These reasons are made when somebody asks, because a round would make one for every
/// tablet.
record PresentReasons(CypressTree tree, TabletBalancer balancer) {
    /// Limit of the decisions in an answer.
    private static final int MOST_SHOWN = 1000;

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

    /// Empty for tables of YDB's rules.
    ///
    /// @param key only the tablet that contains it is asked about
    Optional<Present> of(Table table, Optional<Bytes> key) {
        List<TabletDecision> found = new ArrayList<>();
        int more = 0;
        if (!balancer.plans().isOfYt(table)) {
            return Optional.empty();
        }
        for (TabletDecision decision : balancer.plans().of(table)) {
            if (key.isPresent() && !decision.range().contains(key.get())) {
                continue;
            }
            if (found.size() < MOST_SHOWN) {
                found.add(decision);
            } else {
                more++;
            }
        }
        return Optional.of(
                new Present(notes(table), found.stream().map(TableOperations::row).toList(), more));
    }

    /// When the table is balanced, or why it is not.
    private List<String> notes(Table table) {
        String bundle = Bundles.of(table);
        BundleRounds rounds = NextBalancing.of(tree.view(), tree.database(), bundle, tree.env());
        List<String> notes = new ArrayList<>();
        if (!balancer.settings().enabled()) {
            notes.add("no round changes anything: automatic changes are off on this server");
        }
        if (balancer.isBusy(bundle)) {
            notes.add(
                    "bundle '%s' has unfinished actions; it has no round until they end"
                            .formatted(bundle));
        }
        if (rounds.none().isPresent()) {
            notes.add("no rounds of bundle '%s': %s".formatted(bundle, rounds.none().get()));
            return notes;
        }
        Bytes attributes = Bundles.attributes(tree.view(), tree.database(), bundle);
        try {
            String group =
                    TableGroups.of(table, TableGroups.settings(new BundleState(bundle, attributes)))
                            .orElse("");
            rounds.groups().stream()
                    .filter(each -> each.schedule().group().equals(group))
                    .map(each -> note(each, rounds.zone()))
                    .forEach(notes::add);
        } catch (YtException e) {
            notes.add("no rounds of bundle '%s': %s".formatted(bundle, e.error().text()));
        }
        return notes;
    }

    private static String note(GroupRounds group, ZoneId zone) {
        String when =
                group.none()
                        .map(why -> "it has no rounds: " + why)
                        .orElseGet(
                                () ->
                                        "the next round is at "
                                                + MINUTE.format(
                                                        group.rounds()
                                                                .ranges()
                                                                .getFirst()
                                                                .from()
                                                                .atZone(zone)));
        return "it is in group '%s', whose schedule is %s; %s"
                .formatted(group.schedule().group(), group.schedule().text(), when);
    }
}
