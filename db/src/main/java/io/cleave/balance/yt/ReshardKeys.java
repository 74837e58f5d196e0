package io.cleave.balance.yt;

import io.cleave.balance.KeyFacts;
import io.cleave.balance.KeyFacts.SizePoint;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Chooses the keys at which the new tablets of a reshard begin, so that the tablets are about
/// equal. A bound that two tablets have now is kept if it is near to where one is needed, unless
/// nothing would change then.
final class ReshardKeys {
    /// How far from its even place a present bound may be, in new tablets.
    private static final double BOUND_SLACK = 0.05;

    /// How far from its even place a cut may be, in new tablets. If there is none that near, two of
    /// the new tablets become one.
    private static final double KEY_SLACK = 0.5;

    /// The number of size points of a tablet, for each new tablet that comes of it.
    private static final int POINTS = 16;

    private static final int MOST_POINTS = 1 << 14;

    /// A tablet that is cut evenly has points exactly at its cuts.
    private static final double ROUNDING = 1e-6;

    private final List<TabletState> tablets;
    private final KeyFacts facts;

    /// The bytes before each tablet; the last element is the size of all.
    private final double[] before;

    /// The size of a new tablet.
    private final double piece;

    /// By the index of the tablet.
    private final Map<Integer, List<SizePoint>> points = new HashMap<>();

    /// @param before the bytes before the key
    private record Cut(Bytes key, double before) {
        double distance(double place) {
            return Math.abs(before - place);
        }
    }

    /// What comes of a reshard.
    ///
    /// @param keys the first keys of the new tablets, without that of the first one; ascending
    /// @param sizes those of the new tablets, estimated
    record NewTablets(List<Bytes> keys, List<Long> sizes) {
        NewTablets {
            keys = List.copyOf(keys);
            sizes = List.copyOf(sizes);
        }
    }

    private ReshardKeys(List<TabletState> tablets, boolean byFiles, int newCount, KeyFacts facts) {
        this.tablets = tablets;
        this.facts = facts;
        before = new double[tablets.size() + 1];
        for (int index = 0; index < tablets.size(); index++) {
            TabletState tablet = tablets.get(index);
            before[index + 1] = before[index] + (byFiles ? tablet.fileBytes() : tablet.bytes());
        }
        piece = before[tablets.size()] / newCount;
    }

    /// Fewer tablets than `newCount` if there are not enough keys.
    ///
    /// @param tablets adjacent tablets, in key order
    /// @param byFiles whether sizes are those of files
    static NewTablets choose(
            List<TabletState> tablets, boolean byFiles, int newCount, KeyFacts facts) {
        var keys = new ReshardKeys(tablets, byFiles, newCount, facts);
        List<Cut> cuts = keys.choose(newCount, BOUND_SLACK * keys.piece);
        return keys.newTablets(keys.isPresent(cuts) ? keys.choose(newCount, 0) : cuts);
    }

    private boolean isPresent(List<Cut> cuts) {
        for (int index = 0; index < cuts.size(); index++) {
            if (index + 1 == tablets.size()
                    || !cuts.get(index).key().equals(tablets.get(index + 1).range().from())) {
                return false;
            }
        }
        return cuts.size() + 1 == tablets.size();
    }

    private NewTablets newTablets(List<Cut> cuts) {
        List<Bytes> keys = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        double from = 0;
        for (Cut cut : cuts) {
            keys.add(cut.key());
            sizes.add(Math.round(cut.before() - from));
            from = cut.before();
        }
        sizes.add(Math.round(before[tablets.size()] - from));
        return new NewTablets(keys, sizes);
    }

    private List<Cut> choose(int newCount, double boundSlack) {
        List<Cut> chosen = new ArrayList<>();
        Bytes last = tablets.getFirst().range().from();
        int tablet = 0;
        for (int number = 1; number < newCount; number++) {
            double place = number * piece;
            while (tablet < tablets.size() - 1 && before[tablet + 1] <= place) {
                tablet++;
            }
            Optional<Cut> cut = cut(tablet, place, boundSlack);
            if (cut.isPresent() && cut.get().key().compareTo(last) > 0) {
                chosen.add(cut.get());
                last = cut.get().key();
            }
        }
        return chosen;
    }

    /// The cut with about this many bytes before it, which are in the tablet with the index.
    private Optional<Cut> cut(int tablet, double place, double boundSlack) {
        Optional<Cut> bound = bound(tablet, place);
        if (bound.filter(found -> found.distance(place) <= boundSlack).isPresent()) {
            return bound;
        }
        double size = before[tablet + 1] - before[tablet];
        Optional<Cut> inside =
                nearest(points(tablet, size), (place - before[tablet]) / size)
                        .map(found -> new Cut(found.key(), before[tablet] + found.share() * size));
        return Stream.of(bound, inside)
                .flatMap(Optional::stream)
                .min(Comparator.comparingDouble(found -> found.distance(place)))
                .filter(found -> found.distance(place) <= KEY_SLACK * piece);
    }

    /// The nearer end of the tablet, if two of the tablets meet there.
    private Optional<Cut> bound(int tablet, double place) {
        boolean isNearStart = place - before[tablet] <= before[tablet + 1] - place;
        int second = isNearStart ? tablet : tablet + 1;
        return second == 0 || second == tablets.size()
                ? Optional.empty()
                : Optional.of(new Cut(tablets.get(second).range().from(), before[second]));
    }

    private List<SizePoint> points(int tablet, double size) {
        return points.computeIfAbsent(
                tablet,
                _ -> {
                    int pieces = (int) Math.ceil(size / piece - ROUNDING);
                    int count = Math.min(MOST_POINTS, POINTS * Math.max(1, pieces));
                    return facts.sizes(tablets.get(tablet).tabletId(), count);
                });
    }

    /// The point whose share is nearest; shares ascend.
    private static Optional<SizePoint> nearest(List<SizePoint> points, double share) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points.get(middle).share() < share) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == points.size()) {
            return points.isEmpty() ? Optional.empty() : Optional.of(points.getLast());
        }
        boolean isBeforeNearer =
                low > 0 && share - points.get(low - 1).share() < points.get(low).share() - share;
        return Optional.of(points.get(isBeforeNearer ? low - 1 : low));
    }
}
