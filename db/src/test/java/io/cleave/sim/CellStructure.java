package io.cleave.sim;

import io.cleave.base.Bytes;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.LocalCluster;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletSpec;

import java.util.ArrayList;
import java.util.List;

final class CellStructure implements Structure {
    private final LocalCluster cluster;
    private final Cell cell;
    private long nextId = 1_000_000;

    CellStructure(LocalCluster cluster, Cell cell) {
        this.cluster = cluster;
        this.cell = cell;
    }

    private List<Route> routes(String path) {
        Table table = cluster.find(path).orElseThrow();
        List<Route> all = new ArrayList<>();
        for (Route route : cluster.map(table).routes()) {
            for (Route.Part part : route.find(KeyRange.ALL)) {
                if (all.isEmpty() || all.getLast().tablet() != part.route().tablet()) {
                    all.add(part.route());
                }
            }
        }
        return all;
    }

    @Override
    public List<TabletPlace> tablets(String path) {
        return routes(path).stream()
                .map(r -> new TabletPlace(r.tablet().id(), cell.id(), r.tablet().range()))
                .toList();
    }

    @Override
    public List<Long> cells() {
        return List.of(cell.id());
    }

    @Override
    public void split(String path, List<Bytes> keys) {
        for (Route route : routes(path)) {
            List<Bytes> inside =
                    keys.stream()
                            .filter(
                                    k ->
                                            route.tablet().range().contains(k)
                                                    && !k.equals(route.tablet().range().from()))
                            .toList();
            if (inside.isEmpty()) {
                continue;
            }
            List<TabletSpec> specs = new ArrayList<>();
            Bytes from = route.tablet().range().from();
            for (int i = 0; i <= inside.size(); i++) {
                Bytes to = i < inside.size() ? inside.get(i) : route.tablet().range().to();
                specs.add(
                        new TabletSpec(
                                nextId++,
                                route.tablet().tableId(),
                                new KeyRange(from, to),
                                route.tablet().settings(),
                                route.tablet().epoch() + 1));
                from = to;
            }
            cell.split(route.tablet().id(), specs);
        }
    }

    @Override
    public void merge(String path, long firstTabletId, int count) {
        List<Route> routes = routes(path);
        int first = 0;
        while (first < routes.size() && routes.get(first).tablet().id() != firstTabletId) {
            first++;
        }
        if (first + count > routes.size()) {
            return;
        }
        List<Route> parents = routes.subList(first, first + count);
        long epoch = parents.stream().mapToLong(r -> r.tablet().epoch()).max().orElseThrow();
        cell.merge(
                parents.stream().map(r -> r.tablet().id()).toList(),
                new TabletSpec(
                        nextId++,
                        parents.getFirst().tablet().tableId(),
                        new KeyRange(
                                parents.getFirst().tablet().range().from(),
                                parents.getLast().tablet().range().to()),
                        parents.getFirst().tablet().settings(),
                        epoch + 1));
    }

    @Override
    public void move(String path, long tabletId, long cellId) {
        throw new UnsupportedOperationException();
    }
}
