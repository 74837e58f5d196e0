package io.cleave.balance.yt.whatif;

import io.cleave.balance.TabletState;
import io.cleave.balance.yt.whatif.PredictedTablet.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Part;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// The figures of tablets that come of others. What is counted is divided as the bytes are.
final class PredictedStates {
    private PredictedStates() {}

    static TabletState sum(long tabletId, long cellId, KeyRange range, List<Slice> slices) {
        TabletState first = slices.getFirst().of();
        return new TabletState(
                tabletId,
                cellId,
                range,
                whole(slices, TabletState::bytes),
                whole(slices, TabletState::rows),
                sum(slices, TabletState::cores),
                sum(slices, TabletState::lateCores),
                sum(slices, TabletState::peakCores),
                sum(slices, TabletState::queue),
                sum(slices, TabletState::peakQueue),
                sum(slices, TabletState::rejects),
                0,
                0,
                slices.stream().mapToLong(each -> each.of().largestKeyBytes()).max().orElse(0),
                slices.stream().mapToLong(each -> each.of().largestRowBytes()).max().orElse(0),
                whole(slices, TabletState::fileBytes),
                whole(slices, TabletState::pinnedBytes),
                first.mountState(),
                TabletCounters.fromParts(
                        slices.stream()
                                .map(each -> new Part(each.of().counters(), each.share()))
                                .toList()));
    }

    private static double sum(List<Slice> slices, ToDoubleFunction<TabletState> figure) {
        return slices.stream()
                .mapToDouble(each -> figure.applyAsDouble(each.of()) * each.share())
                .sum();
    }

    private static long whole(List<Slice> slices, ToDoubleFunction<TabletState> figure) {
        return Math.round(sum(slices, figure));
    }

    static TabletState in(TabletState tablet, long cellId) {
        return with(tablet, cellId, tablet.pinnedBytes());
    }

    static TabletState withPinned(TabletState tablet, long pinnedBytes) {
        return with(tablet, tablet.cellId(), pinnedBytes);
    }

    private static TabletState with(TabletState tablet, long cellId, long pinnedBytes) {
        return new TabletState(
                tablet.tabletId(),
                cellId,
                tablet.range(),
                tablet.bytes(),
                tablet.rows(),
                tablet.cores(),
                tablet.lateCores(),
                tablet.peakCores(),
                tablet.queue(),
                tablet.peakQueue(),
                tablet.rejects(),
                tablet.ageMillis(),
                tablet.parentCores(),
                tablet.largestKeyBytes(),
                tablet.largestRowBytes(),
                tablet.fileBytes(),
                pinnedBytes,
                tablet.mountState(),
                tablet.counters());
    }
}
