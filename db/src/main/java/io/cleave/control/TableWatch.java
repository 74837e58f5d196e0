package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.KeyFacts.SizePoint;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletMap;
import io.cleave.schema.Balancer;
import io.cleave.schema.Column;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.tablet.Route;
import io.cleave.tablet.meter.KeyReservoir;
import io.cleave.time.Timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The recent load of a table's tablets, and the facts about their keys that a policy asks for.
///
/// Threads: one at a time.
final class TableWatch {
    private final BalanceSettings settings;
    private Map<Long, TabletWatch> tablets = new HashMap<>();

    /// The load of the parent, by tablet that came from a split by load.
    private final Map<Long, Double> parents = new HashMap<>();

    private final Timeline timeline;

    TableWatch(BalanceSettings settings, Timeline timeline) {
        this.settings = settings;
        this.timeline = timeline;
    }

    /// Takes a new measurement.
    TableState look(Table table, Balancer balancer, TabletMap map, long nowNanos) {
        List<Route> routes = map.routes();
        MountStates mounted = table.options().yt().map(YtTable::states).orElse(MountStates.MOUNTED);
        Map<Long, TabletWatch> now = HashMap.newHashMap(routes.size());
        List<TabletWatch> opened = new ArrayList<>();
        List<TabletState> states = new ArrayList<>(routes.size());
        for (Route route : routes) {
            long tabletId = route.tabletId();
            TabletWatch watch = tablets.get(tabletId);
            if (watch == null || !watch.isOf(route)) {
                watch = new TabletWatch(route, settings, nowNanos);
                opened.add(watch);
                route.statistics().setKeyTypes(table.key().stream().map(Column::type).toList());
            }
            watch.look(nowNanos);
            now.put(tabletId, watch);
        }
        InheritedRates.hand(tablets.values(), opened);
        for (Route route : routes) {
            long tabletId = route.tabletId();
            // A new tablet may be seen here before its parent's load is recorded.
            double parentCores = parents.getOrDefault(tabletId, 0.0);
            TabletWatch watch = Objects.requireNonNull(now.get(tabletId));
            states.add(watch.state(nowNanos, parentCores, mounted.at(route.range().from())));
        }
        tablets = now;
        parents.keySet().retainAll(now.keySet());
        return new TableState(table, Bundles.of(table), balancer, states);
    }

    /// Lets the next look compute the figures of all tablets anew.
    void forgetFigures() {
        tablets.values().forEach(TabletWatch::forgetFigures);
    }

    /// The current state of the tablets, with the locks counted since the previous call.
    List<TopTablets.Sample> samples(TableState state, long micros) {
        List<TopTablets.Sample> all = new ArrayList<>();
        for (TabletState tablet : state.tablets()) {
            TabletWatch watch = tablets.get(tablet.tabletId());
            if (watch != null) {
                all.add(
                        new TopTablets.Sample(
                                state.table().path(),
                                tablet.tabletId(),
                                micros,
                                tablet.cores(),
                                watch.takeLocks(),
                                tablet.bytes(),
                                tablet.rows()));
            }
        }
        return all;
    }

    /// Records that these tablets came from a tablet with this load that was split by load.
    void cutByLoad(Collection<Long> children, double cores) {
        children.forEach(tabletId -> parents.put(tabletId, cores));
    }

    List<SizePoint> sizes(long tabletId, int count) {
        TabletWatch watch = tablets.get(tabletId);
        if (watch == null) {
            return List.of();
        }
        long snapshot = timeline.take();
        try {
            return watch.tablet().quantiles(count, snapshot).stream()
                    .map(found -> new SizePoint(found.key(), found.share()))
                    .toList();
        } finally {
            timeline.release(snapshot);
        }
    }

    List<KeySample> samples(long tabletId) {
        TabletWatch watch = tablets.get(tabletId);
        if (watch == null) {
            return List.of();
        }
        return watch.tablet().sampledKeys().stream().map(TableWatch::sample).toList();
    }

    private static KeySample sample(KeyReservoir.Sample from) {
        Access access =
                switch (from.access()) {
                    case READ, SCANNED -> Access.READ;
                    case RANGE, BATCH -> Access.RANGE;
                    case WRITE -> Access.WRITE;
                    case DELETE -> Access.DELETE;
                };
        return new KeySample(from.key(), access, from.micros(), from.nanos());
    }
}
