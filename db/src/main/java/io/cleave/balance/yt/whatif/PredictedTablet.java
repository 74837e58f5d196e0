package io.cleave.balance.yt.whatif;

import io.cleave.balance.KeyFacts;
import io.cleave.balance.KeyFacts.SizePoint;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A tablet as it is, or as a reshard would make it: slices of tablets that are there.
///
/// @param slices in key order
record PredictedTablet(TabletState state, List<Slice> slices) {
    /// How many keys of a tablet say where a slice of it begins.
    private static final int POINTS = 1 << 10;

    private static final int MOST_POINTS = 1 << 14;

    PredictedTablet {
        slices = List.copyOf(slices);
    }

    /// A part of a tablet that is there.
    ///
    /// @param range the keys of the part
    /// @param from the share of the tablet's bytes before the part
    /// @param to the share of the tablet's bytes before the end of the part
    record Slice(TabletState of, KeyRange range, double from, double to) {
        static Slice whole(TabletState of) {
            return new Slice(of, of.range(), 0, 1);
        }

        double share() {
            return to - from;
        }

        double bytes() {
            return of.bytes() * share();
        }

        boolean isWhole() {
            return range.equals(of.range());
        }

        /// The part of it with keys of the other range.
        Slice cut(KeyRange other, KeyFacts facts) {
            KeyRange part = range.intersection(other);
            double begin = part.from().equals(range.from()) ? from : place(part.from(), facts);
            Bytes end = part.to();
            boolean isToEnd = end == null || Objects.equals(end, range.to());
            double last = isToEnd ? to : Math.max(begin, place(Objects.requireNonNull(end), facts));
            return new Slice(of, part, begin, last);
        }

        /// The share of the tablet's bytes before the key.
        private double place(Bytes key, KeyFacts facts) {
            SizePoint before = new SizePoint(range.from(), from);
            SizePoint after = new SizePoint(key, to);
            for (SizePoint point : facts.sizes(of.tabletId(), POINTS)) {
                if (point.key().compareTo(key) <= 0) {
                    before = point.share() > before.share() ? point : before;
                } else {
                    after = point;
                    break;
                }
            }
            // A key between two points has about half of the bytes between them before it.
            boolean isPoint = before.key().equals(key);
            double place = isPoint ? before.share() : (before.share() + after.share()) / 2;
            return Math.clamp(place, from, to);
        }

        /// About `count` keys of it, with the shares of the tablet's bytes before them.
        List<SizePoint> points(int count, KeyFacts facts) {
            int wanted = (int) Math.ceil(count / Math.max(share(), 1.0 / MOST_POINTS));
            return facts.sizes(of.tabletId(), Math.min(MOST_POINTS, wanted)).stream()
                    .filter(point -> range.contains(point.key()))
                    .filter(point -> point.share() > from && point.share() < to)
                    .toList();
        }
    }

    static PredictedTablet of(TabletState state) {
        return new PredictedTablet(state, List.of(Slice.whole(state)));
    }

    /// The tablet with this range that comes of adjacent tablets, in the cell of the one that gives
    /// it most.
    ///
    /// @param facts about tablets that are there
    static PredictedTablet made(
            long tabletId, KeyRange range, List<PredictedTablet> from, KeyFacts facts) {
        List<Slice> slices = new ArrayList<>();
        PredictedTablet most = from.getFirst();
        double mostBytes = -1;
        for (PredictedTablet old : from) {
            double bytes = 0;
            boolean isPart = false;
            for (Slice slice : old.slices) {
                if (slice.range().intersects(range)) {
                    Slice part = slice.cut(range, facts);
                    slices.add(part);
                    bytes += part.bytes();
                    isPart = true;
                }
            }
            if (isPart && bytes > mostBytes) {
                most = old;
                mostBytes = bytes;
            }
        }
        return new PredictedTablet(
                PredictedStates.sum(tabletId, most.state.cellId(), range, slices), slices);
    }

    PredictedTablet in(long cellId) {
        return new PredictedTablet(PredictedStates.in(state, cellId), slices);
    }

    /// As [KeyFacts#sizes].
    List<SizePoint> sizes(int count, KeyFacts facts) {
        if (slices.size() == 1 && slices.getFirst().isWhole()) {
            return facts.sizes(slices.getFirst().of().tabletId(), count);
        }
        double total = slices.stream().mapToDouble(Slice::bytes).sum();
        if (!(total > 0)) {
            return List.of();
        }
        List<SizePoint> points = new ArrayList<>();
        double before = 0;
        for (Slice slice : slices) {
            if (before > 0) {
                points.add(new SizePoint(slice.range().from(), before / total));
            }
            int part = (int) Math.ceil(count * slice.bytes() / total);
            for (SizePoint point : slice.points(part, facts)) {
                double bytes = (point.share() - slice.from()) * slice.of().bytes();
                points.add(new SizePoint(point.key(), (before + bytes) / total));
            }
            before += slice.bytes();
        }
        return points;
    }
}
