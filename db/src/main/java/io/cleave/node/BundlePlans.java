package io.cleave.node;

import io.cleave.balance.yt.whatif.BundleFigures;
import io.cleave.balance.yt.whatif.Forecast;
import io.cleave.balance.yt.whatif.PlanTime;
import io.cleave.balance.yt.whatif.SupposedSetting;
import io.cleave.balance.yt.whatif.WhatIf;
import io.cleave.cluster.KeyText;
import io.cleave.console.BundlePlan;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Turns an operator's question about a bundle into the terms of the balancer, and the answer into
/// what the console shows.
final class BundlePlans {
    private BundlePlans() {}

    /// @param tablePath the absolute path of a table
    static WhatIf question(
            BundlePlan.Question asked, UnaryOperator<String> tablePath, Instant now, ZoneId zone) {
        List<SupposedSetting> settings = new ArrayList<>();
        for (String text : asked.settings()) {
            SupposedSetting setting = SupposedSetting.parse(text);
            settings.add(
                    setting.table()
                            .map(path -> setting.ofTable(tablePath.apply(path)))
                            .orElse(setting));
        }
        return new WhatIf(
                asked.bundle(),
                settings,
                asked.cells(),
                asked.at().map(text -> PlanTime.parse(text, now, zone)),
                asked.rounds().orElse(WhatIf.DEFAULT_ROUNDS));
    }

    /// The answer, with more notes.
    static BundlePlan answer(
            WhatIf question, Forecast forecast, List<String> moreNotes, ZoneId zone) {
        List<String> notes = new ArrayList<>(forecast.notes());
        notes.addAll(moreNotes);
        BundleFigures before = forecast.before();
        BundleFigures after = forecast.after();
        List<BundlePlan.Table> tables = new ArrayList<>();
        after.tables()
                .forEach(
                        (path, sizes) ->
                                tables.add(
                                        new BundlePlan.Table(
                                                path,
                                                sizes(before.tables().getOrDefault(path, sizes)),
                                                sizes(sizes))));
        return new BundlePlan(
                forecast.bundle(),
                zone,
                forecast.at(),
                question.settings().stream().map(SupposedSetting::text).toList(),
                notes,
                forecast.idle(),
                forecast.departures().entrySet().stream()
                        .map(
                                each ->
                                        new BundlePlan.Departure(
                                                each.getKey(),
                                                each.getValue().tablets(),
                                                each.getValue().bytes()))
                        .toList(),
                forecast.rounds().stream().map(BundlePlans::round).toList(),
                forecast.isAtRest(),
                forecast.newTabletsFrom(),
                tables,
                cells(before.cells(), after.cells()),
                balance(before.balance()),
                balance(after.balance()),
                work(forecast.sum()),
                forecast.left().stream()
                        .map(
                                left ->
                                        new BundlePlan.Left(
                                                left.path(),
                                                left.rule().text(),
                                                left.why(),
                                                left.tablets(),
                                                left.example()))
                        .toList());
    }

    private static BundlePlan.Round round(Forecast.Round round) {
        return new BundlePlan.Round(
                round.changes().stream()
                        .map(
                                change ->
                                        new BundlePlan.Change(
                                                change.table().path(),
                                                change.kind(),
                                                change.decision().rule().text(),
                                                change.decision().tabletIds(),
                                                change.decision()
                                                        .text(
                                                                key ->
                                                                        KeyText.of(
                                                                                change.table(),
                                                                                key))))
                        .toList());
    }

    private static BundlePlan.Sizes sizes(BundleFigures.Sizes sizes) {
        return new BundlePlan.Sizes(sizes.count(), sizes.min(), sizes.mean(), sizes.max());
    }

    private static List<BundlePlan.Cell> cells(
            SequencedMap<Long, BundleFigures.Load> before,
            SequencedMap<Long, BundleFigures.Load> after) {
        var ids = new TreeSet<>(before.keySet());
        ids.addAll(after.keySet());
        return ids.stream()
                .map(
                        id ->
                                new BundlePlan.Cell(
                                        id,
                                        Optional.ofNullable(before.get(id)).map(BundlePlans::load),
                                        Optional.ofNullable(after.get(id)).map(BundlePlans::load)))
                .toList();
    }

    private static BundlePlan.Load load(BundleFigures.Load load) {
        return new BundlePlan.Load(load.tablets(), load.bytes(), load.memoryBytes(), load.load());
    }

    private static BundlePlan.Balance balance(BundleFigures.Balance balance) {
        return new BundlePlan.Balance(
                balance.tablets(), balance.bytes(), balance.memory(), balance.load());
    }

    static BundlePlan.Work work(Forecast.Sum sum) {
        return new BundlePlan.Work(
                sum.reshards(),
                sum.resharded().tablets(),
                sum.resharded().bytes(),
                sum.made(),
                sum.moved().tablets(),
                sum.moved().bytes());
    }
}
