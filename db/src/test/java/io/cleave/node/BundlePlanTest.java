package io.cleave.node;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.yt.DrawnCluster;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.balance.yt.whatif.Forecaster;
import io.cleave.balance.yt.whatif.WhatIf;
import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.console.BundlePlan;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.table.query.MetricExpressions;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Plans of bundles, as an operator sees them.
class BundlePlanTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-19T22:30:00Z");

    @TestFactory
    Stream<DynamicTest> plans() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytwhatif"), BundlePlanTest::answer);
    }

    /// `plan bundle=NAME cells=N rounds=N at=TIME` with lines of a [DrawnCluster], of the form `set
    /// KEY=VALUE`, and `cluster CONFIG` for the settings of all bundles.
    private static String answer(DataDriven.Command command) {
        var drawn = new DrawnCluster();
        List<String> settings = new ArrayList<>();
        Bytes cluster = Bytes.EMPTY;
        for (String line : command.input()) {
            if (line.startsWith("set ")) {
                settings.add(line.substring(4));
            } else if (line.startsWith("cluster ")) {
                cluster = Bytes.utf8(line.substring(8));
            } else {
                drawn.add(line);
            }
        }
        var asked =
                new BundlePlan.Question(
                        command.args().getOrDefault("bundle", "default"),
                        Optional.ofNullable(command.args().get("at")),
                        settings,
                        count(command, "cells"),
                        count(command, "rounds"));
        try {
            WhatIf question = BundlePlans.question(asked, path -> "/local/" + path, NOW, BERLIN);
            var policy = new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions());
            var forecaster =
                    new Forecaster(
                            (predicted, facts) ->
                                    policy.decide(predicted, facts, BalanceSettings.DEFAULT),
                            BERLIN);
            ClusterState all = drawn.state();
            var state =
                    new ClusterState(
                            all.tables(),
                            all.cells(),
                            all.bundles(),
                            all.nodes(),
                            cluster,
                            all.due());
            return BundlePlans.answer(
                            question, forecaster.answer(question, state, drawn), List.of(), BERLIN)
                    .text();
        } catch (StatusException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static OptionalInt count(DataDriven.Command command, String name) {
        return command.args().containsKey(name)
                ? OptionalInt.of((int) command.number(name))
                : OptionalInt.empty();
    }
}
