package io.cleave.balance.yt.whatif;

import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A copy of a cluster on which decisions are carried out.
///
/// Threads: one at a time.
final class PredictedCluster implements KeyFacts {
    private final KeyFacts facts;
    private ClusterState state;

    /// The tablets of each table in key order, by table id.
    private final Map<Long, List<PredictedTablet>> tables = new LinkedHashMap<>();

    private final Map<Long, PredictedTablet> tablets = new HashMap<>();

    /// The id of the next tablet that a reshard makes.
    private long nextId;

    /// @param facts about the tablets of the state
    PredictedCluster(ClusterState state, KeyFacts facts) {
        this.facts = facts;
        this.state = state;
        for (TableState table : state.tables()) {
            List<PredictedTablet> own =
                    new ArrayList<>(table.tablets().stream().map(PredictedTablet::of).toList());
            tables.put(table.table().id(), own);
            for (PredictedTablet tablet : own) {
                tablets.put(tablet.state().tabletId(), tablet);
                nextId = Math.max(nextId, tablet.state().tabletId() + 1);
            }
        }
    }

    ClusterState state() {
        return state;
    }

    /// The size of a tablet's rows.
    long bytes(long tabletId) {
        return Objects.requireNonNull(tablets.get(tabletId)).state().bytes();
    }

    /// The least id of a tablet that a reshard would make.
    long nextId() {
        return nextId;
    }

    /// Drops the cells that are being removed, whose tablets have left them.
    void dropRemovedCells() {
        state = state.with(state.tables(), state.running(), state.bundles());
    }

    /// Carries out the changes of a round, which are of different tablets.
    ///
    /// @param changes by table id
    void apply(Map<Long, List<Decision>> changes) {
        changes.forEach(
                (tableId, decisions) -> {
                    List<PredictedTablet> own = Objects.requireNonNull(tables.get(tableId));
                    Map<Long, Integer> places = new HashMap<>();
                    for (int index = 0; index < own.size(); index++) {
                        places.put(own.get(index).state().tabletId(), index);
                    }
                    Map<Integer, Reshard> reshards = new HashMap<>();
                    for (Decision decision : decisions) {
                        int place =
                                Objects.requireNonNull(places.get(decision.tabletIds().getFirst()));
                        if (decision instanceof Move move) {
                            put(own, place, own.get(place).in(move.toCellId()));
                        } else if (decision instanceof Reshard reshard) {
                            reshards.put(place, reshard);
                        }
                    }
                    if (!reshards.isEmpty()) {
                        tables.put(tableId, resharded(own, reshards));
                    }
                });
        refresh();
    }

    private void put(List<PredictedTablet> own, int index, PredictedTablet tablet) {
        own.set(index, tablet);
        tablets.put(tablet.state().tabletId(), tablet);
    }

    /// @param reshards by the place of the first tablet
    private List<PredictedTablet> resharded(
            List<PredictedTablet> own, Map<Integer, Reshard> reshards) {
        List<PredictedTablet> all = new ArrayList<>();
        int index = 0;
        while (index < own.size()) {
            Reshard reshard = reshards.get(index);
            if (reshard == null) {
                all.add(own.get(index));
                index++;
            } else {
                int to = index + reshard.tabletIds().size();
                all.addAll(made(own.subList(index, to), reshard));
                index = to;
            }
        }
        return all;
    }

    private List<PredictedTablet> made(List<PredictedTablet> old, Reshard reshard) {
        Check.that(
                old.getLast().state().tabletId() == reshard.tabletIds().getLast(),
                "tablets %s are not adjacent",
                reshard.tabletIds());
        List<PredictedTablet> made = new ArrayList<>();
        Bytes from = old.getFirst().state().range().from();
        for (int piece = 0; piece <= reshard.keys().size(); piece++) {
            Bytes to =
                    piece < reshard.keys().size()
                            ? reshard.keys().get(piece)
                            : old.getLast().state().range().to();
            var tablet = PredictedTablet.made(nextId, new KeyRange(from, to), old, facts);
            nextId++;
            made.add(tablet);
            from = to == null ? from : to;
        }
        old.forEach(tablet -> tablets.remove(tablet.state().tabletId()));
        made.forEach(tablet -> tablets.put(tablet.state().tabletId(), tablet));
        return made;
    }

    private void refresh() {
        List<TableState> states = new ArrayList<>();
        for (TableState table : state.tables()) {
            List<PredictedTablet> own = Objects.requireNonNull(tables.get(table.table().id()));
            states.add(
                    new TableState(
                            table.table(),
                            table.bundle(),
                            table.balancer(),
                            own.stream().map(PredictedTablet::state).toList()));
        }
        state = state.with(states, state.cells(), state.bundles());
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        PredictedTablet tablet = tablets.get(tabletId);
        return tablet == null ? List.of() : tablet.sizes(count, facts);
    }

    /// Samples of a tablet that is not there are those of the tablets that it comes of.
    @Override
    public List<KeySample> samples(long tabletId) {
        PredictedTablet tablet = tablets.get(tabletId);
        List<KeySample> samples = new ArrayList<>();
        if (tablet != null) {
            for (PredictedTablet.Slice slice : tablet.slices()) {
                for (KeySample sample : facts.samples(slice.of().tabletId())) {
                    if (slice.range().contains(sample.key())) {
                        samples.add(sample);
                    }
                }
            }
        }
        samples.sort(Comparator.comparingLong(KeySample::micros));
        return samples;
    }
}
