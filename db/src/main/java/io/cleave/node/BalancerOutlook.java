package io.cleave.node;

import io.cleave.balance.yt.whatif.Forecast;
import io.cleave.balance.yt.whatif.WhatIf;
import io.cleave.control.TabletBalancer;
import io.cleave.yt.tree.BundleOutlook;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What the balancer says of bundles to the clients of YTsaurus' tree.
record BalancerOutlook(TabletBalancer balancer) implements BundleOutlook {
    @Override
    public SequencedMap<String, Work> now(String bundle) {
        var now = new LinkedHashMap<String, Work>();
        for (Forecast.Round round : balancer.plans().of(WhatIf.now(bundle, 1)).rounds()) {
            round.groups().forEach((group, sum) -> now.put(group, work(sum)));
        }
        return now;
    }

    private static Work work(Forecast.Sum sum) {
        return new Work(
                sum.reshards(),
                sum.resharded().tablets(),
                sum.resharded().bytes(),
                sum.made(),
                sum.moved().tablets(),
                sum.moved().bytes());
    }

    @Override
    public List<Problem> problems(String bundle) {
        return balancer.bundleErrors().of(bundle).stream()
                .map(error -> new Problem(error.micros(), error.text()))
                .toList();
    }
}
