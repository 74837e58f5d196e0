package io.cleave.cluster;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.cluster.TopTablets.Seen;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.KeyReservoir;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.Timeline;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The recent load of a table's tablets, and the facts about their keys that the balancer asks for.
///
/// Threads: one at a time.
final class TableWatch implements KeyFacts {
    private final BalanceSettings settings;
    private final Map<Long, TabletWatch> tablets = new HashMap<>();

    /// The load of the parent, by tablet that came from a split by load.
    private final Map<Long, Double> parents = new HashMap<>();

    private Timeline timeline;

    TableWatch(TabletMap map, BalanceSettings settings) {
        this.settings = settings;
        timeline = Cell.of(map.routes().getFirst()).timeline();
    }

    /// Takes a new measurement.
    TableState look(Table table, TabletMap map, long nowNanos) {
        Map<Long, TabletWatch> now = new HashMap<>();
        List<TabletState> states = new ArrayList<>();
        for (Route route : map.routes()) {
            Tablet tablet = route.tablet();
            TabletWatch watch = tablets.get(tablet.id());
            if (watch == null || !watch.isOf(tablet)) {
                watch = new TabletWatch(tablet, settings, nowNanos);
                List<Type> keyTypes = table.key().stream().map(Column::type).toList();
                tablet.meter().countKeys(key -> KeyCodec.valueBytes(keyTypes, key));
            }
            watch.look(nowNanos);
            now.put(tablet.id(), watch);
            // A new tablet may be seen here before its parent's load is recorded.
            states.add(watch.state(nowNanos, parents.getOrDefault(tablet.id(), 0.0)));
        }
        tablets.clear();
        tablets.putAll(now);
        parents.keySet().retainAll(now.keySet());
        timeline = Cell.of(map.routes().getFirst()).timeline();
        return new TableState(table, states);
    }

    /// The current state of the tablets, with the locks counted since the previous call.
    List<Seen> seen(Looked looked, long micros) {
        List<Seen> all = new ArrayList<>();
        for (TabletState state : looked.state().tablets()) {
            TabletWatch watch = tablets.get(state.tabletId());
            if (watch != null) {
                all.add(
                        new Seen(
                                looked.table().path(),
                                state.tabletId(),
                                micros,
                                state.cores(),
                                watch.takeLocks(),
                                state.bytes(),
                                state.rows()));
            }
        }
        return all;
    }

    /// Records that these tablets came from a tablet with this load that was split by load.
    void cutByLoad(Collection<Long> children, double cores) {
        children.forEach(tabletId -> parents.put(tabletId, cores));
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
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

    @Override
    public List<KeySample> samples(long tabletId) {
        TabletWatch watch = tablets.get(tabletId);
        if (watch == null) {
            return List.of();
        }
        return watch.tablet().meter().keys().stream().map(TableWatch::sample).toList();
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
