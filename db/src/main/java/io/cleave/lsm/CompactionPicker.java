package io.cleave.lsm;

import io.cleave.lsm.Compaction.Kind;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Decides what a tree should compact next. The decision is a function of the tree's slices and the
/// options.
///
/// Flushed memtables accumulate on level 0, each as a run of its own. Every other level is one run;
/// [Levels] computes its target size. The picker returns the first of these that applies:
///
/// 1. Slices that are erased as a whole are dropped, which costs nothing.
/// 2. The level that most exceeds its limit is compacted. The limit of level 0 is a number of runs,
///    that of the other levels a number of bytes.
///    - Level 0 moves down as a whole, to the deepest level at which it overlaps at most
///      [#MAX_OVERLAP] times its own bytes. If it overlaps more than that even at the base level,
///      some of its runs are merged into one instead: those with the lowest cost for each run
///      removed.
///    - From any other level, one slice moves down: the slice for which the next level has to
///      rewrite the least.
/// 3. A slice that is mostly garbage is compacted, because scans have to read past the garbage.
/// 4. A slice is merged with everything below it if at least half of these bytes are garbage:
///    erases, erased rows and overwritten versions.
/// 5. A slice is rewritten if it was written with other settings, or before a range erase that may
///    cover some of its versions.
///
/// **Read amplification**: a read looks at fewer than `level0Runs` runs on level 0 and at one run
/// for each other level. There are `1 + log(bytes / baseBytes)` of these levels, with the logarithm
/// to the base `levelFactor`. While compaction lags behind, level 0 may have more runs, up to the
/// number at which writers are blocked.
///
/// **Write amplification**: a byte is written once by the flush, and at most `1 + MAX_OVERLAP`
/// times on its way to the base level. Before that, if flushes are small, it may be merged within
/// level 0, each time into a larger run. For each level below the base it is written at most
/// `levelFactor` times, plus the slices at both edges. `CompactionModelTest` measures both
/// amplifications. A compaction that removes garbage has at least half garbage as its input, so it
/// writes no more bytes than it frees: at most one byte for each byte that was overwritten or
/// erased.
final class CompactionPicker {
    /// The maximum number of bytes of other levels that are rewritten for one byte of level 0.
    static final int MAX_OVERLAP = 1;

    /// A slice with at least this share of garbage is worth compacting.
    static final double MUCH_GARBAGE = 0.5;

    /// A table is small if it has less than 1/4 of `tableBytes`.
    private static final int SMALL_TABLE_PART = 4;

    private final LsmOptions options;
    private final List<SliceFacts> facts;
    private final Levels levels;

    /// Keyed by identity, because two slices may be equal parts of one table.
    private final IdentityHashMap<Slice, Layer> layers = new IdentityHashMap<>();

    private CompactionPicker(List<SliceFacts> facts, LsmOptions options) {
        this.options = options;
        this.facts = facts;
        levels = new Levels(facts.stream().map(SliceFacts::slice).toList(), options);
        facts.forEach(fact -> layers.put(fact.slice(), fact.layer()));
    }

    static Optional<Compaction> pick(List<SliceFacts> facts, LsmOptions options) {
        var picker = new CompactionPicker(facts, options);
        return picker.erased()
                .or(picker::fullestLevel)
                .or(picker::mostGarbage)
                .or(picker::mostHidden)
                .or(picker::firstStale);
    }

    /// Picks a compaction that only merges runs of level 0, for a tree whose level 0 must not move
    /// down.
    static Optional<Compaction> pickWithinLevel0(List<SliceFacts> facts, LsmOptions options) {
        var picker = new CompactionPicker(facts, options);
        List<List<Slice>> runs = Run.split(picker.levels.at(0));
        if (runs.size() < Math.max(2, options.level0Runs())) {
            return Optional.empty();
        }
        String reason = "level 0: %d runs of %d".formatted(runs.size(), options.level0Runs());
        return Optional.of(picker.withinLevel0(runs, reason));
    }

    private Optional<Compaction> erased() {
        List<Slice> erased =
                facts.stream().filter(SliceFacts::erased).map(SliceFacts::slice).toList();
        if (erased.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Compaction(erased, LsmOptions.LAST_LEVEL, Kind.DROP, true, "erased"));
    }

    private Optional<Compaction> fullestLevel() {
        int fullest = 0;
        int runs = Run.split(levels.at(0)).size();
        double most = (double) runs / options.level0Runs();
        for (int level = 1; level < LsmOptions.LAST_LEVEL; level++) {
            if (levels.fullness(level) > Math.max(1, most)) {
                most = levels.fullness(level);
                fullest = level;
            }
        }
        if (most < 1) {
            return Optional.empty();
        }
        if (fullest == 0) {
            String reason = "level 0: %d runs of %d".formatted(runs, options.level0Runs());
            return Optional.of(fromLevel0(reason));
        }
        List<Slice> level = levels.at(fullest);
        String reason =
                "level %d: %d bytes of %d"
                        .formatted(fullest, Levels.bytes(level), levels.target(fullest));
        return Optional.of(down(List.of(cheapest(fullest)), fullest + 1, reason));
    }

    private Compaction fromLevel0(String reason) {
        List<Slice> all = levels.at(0);
        int deepest = 0;
        for (int level = levels.base(); level <= LsmOptions.LAST_LEVEL; level++) {
            List<Slice> inputs = withOverlapping(all, 1, level);
            if (Levels.bytes(inputs) <= (1 + MAX_OVERLAP) * Levels.bytes(all)) {
                deepest = level;
            } else {
                break;
            }
        }
        List<List<Slice>> runs = Run.split(all);
        if (deepest == 0 && runs.size() > 1) {
            return withinLevel0(runs, reason);
        }
        return down(all, Math.max(deepest, levels.base()), reason);
    }

    /// Merges runs that are adjacent in age, and each as a whole, so that the age order of the runs
    /// is kept.
    private Compaction withinLevel0(List<List<Slice>> runs, String reason) {
        int bestFrom = 0;
        int bestTo = runs.size();
        double bestCost = Double.MAX_VALUE;
        for (int from = 0; from < runs.size() - 1; from++) {
            long bytes = Levels.bytes(runs.get(from));
            for (int to = from + 2; to <= runs.size(); to++) {
                bytes += Levels.bytes(runs.get(to - 1));
                double cost = (double) bytes / (to - from - 1);
                if (cost <= bestCost) {
                    bestCost = cost;
                    bestFrom = from;
                    bestTo = to;
                }
            }
        }
        List<Slice> inputs = new ArrayList<>();
        runs.subList(bestFrom, bestTo).forEach(inputs::addAll);
        Slice hull = Levels.hull(inputs);
        boolean oldest =
                runs.subList(bestTo, runs.size()).stream()
                        .flatMap(List::stream)
                        .noneMatch(slice -> slice.overlaps(hull));
        boolean bottom = oldest && levels.emptyFrom(1, hull);
        return new Compaction(inputs, 0, Kind.MERGE, bottom, reason);
    }

    /// The slice for which the next level rewrites the fewest bytes for each byte that moves down.
    private Slice cheapest(int level) {
        return levels.at(level).stream()
                .min(
                        Comparator.<Slice>comparingDouble(
                                        slice ->
                                                (double) overlapBytes(slice, level + 1)
                                                        / (slice.bytes() + 1))
                                .thenComparing(Slice::from))
                .orElseThrow();
    }

    private long overlapBytes(Slice slice, int level) {
        return Levels.bytes(levels.overlapping(level, slice));
    }

    private Optional<Compaction> mostGarbage() {
        return facts.stream()
                .filter(fact -> fact.slice().level() > 0 && fact.garbage() >= MUCH_GARBAGE)
                .sorted(Comparator.comparingDouble(SliceFacts::garbage).reversed())
                .map(this::withoutGarbage)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /// Erases can be dropped only if nothing lies below the slice. Otherwise the slice moves down
    /// one level, unless the next level would have to rewrite too much.
    private Optional<Compaction> withoutGarbage(SliceFacts fact) {
        Slice slice = fact.slice();
        String reason =
                "slice %d: %d%% is garbage"
                        .formatted(slice.blobId(), Math.round(100 * fact.garbage()));
        if (levels.emptyFrom(slice.level() + 1, slice)) {
            return Optional.of(inPlace(slice, true, reason));
        }
        int below = slice.level() + 1;
        boolean tooMuch = overlapBytes(slice, below) > options.levelFactor() * slice.bytes();
        return tooMuch ? Optional.empty() : Optional.of(down(List.of(slice), below, reason));
    }

    /// Finds the slice that, together with all older slices it overlaps, has the largest share of
    /// garbage. No older data remains below, so the compaction removes all of the garbage.
    private Optional<Compaction> mostHidden() {
        double most = MUCH_GARBAGE;
        List<Slice> best = List.of();
        for (SliceFacts fact : facts) {
            Slice slice = fact.slice();
            List<Slice> inputs = withAllBelow(slice);
            if (inputs.size() == 1 && slice.level() > 0) {
                continue;
            }
            double garbage = mayBeGarbage(inputs) < most ? 0 : garbage(inputs);
            if (best.isEmpty() ? garbage >= most : garbage > most) {
                most = garbage;
                best = inputs;
            }
        }
        if (best.isEmpty()) {
            return Optional.empty();
        }
        int deepest = best.stream().mapToInt(Slice::level).max().orElseThrow();
        String reason =
                "slice %d and the older slices it overlaps: %d%% is garbage"
                        .formatted(best.getFirst().blobId(), Math.round(100 * most));
        int output = Math.max(deepest, levels.base());
        return Optional.of(new Compaction(best, output, Kind.MERGE, true, reason));
    }

    /// The slice and all older slices that it overlaps. On level 0, these are found transitively:
    /// the range grows with each slice that is added.
    private List<Slice> withAllBelow(Slice slice) {
        List<Slice> chosen = new ArrayList<>(List.of(slice));
        if (slice.level() == 0) {
            int before;
            do {
                before = chosen.size();
                Slice hull = Levels.hull(chosen);
                levels.overlapping(0, hull).stream()
                        .filter(other -> other.generation() <= slice.generation())
                        .filter(other -> !chosen.contains(other))
                        .forEach(chosen::add);
            } while (chosen.size() > before);
        }
        return withOverlapping(chosen, slice.level() + 1, LsmOptions.LAST_LEVEL);
    }

    /// A cheap upper bound of [#garbage]. It assumes that the live bytes of the largest run
    /// survive, and that each erase removes at most one row of the largest size.
    private double mayBeGarbage(List<Slice> inputs) {
        long erases = 0;
        double largestRow = 0;
        long largestRun = 0;
        for (List<Slice> run : Run.split(inputs)) {
            long live = 0;
            for (Slice slice : run) {
                Layer layer = layer(slice);
                erases += layer.erases();
                largestRow = Math.max(largestRow, layer.bytesPerRow());
                live += layer.liveBytes();
            }
            largestRun = Math.max(largestRun, live);
        }
        double left = Math.max(0, largestRun - erases * largestRow);
        return 1 - left / Math.max(1, Levels.bytes(inputs));
    }

    private double garbage(List<Slice> inputs) {
        List<List<Layer>> runs = new ArrayList<>();
        for (List<Slice> run : Run.split(inputs)) {
            runs.add(run.stream().map(this::layer).toList());
        }
        long bytes = Levels.bytes(inputs);
        return bytes == 0 ? 0 : 1 - (double) Survivors.of(runs).bytes() / bytes;
    }

    private Layer layer(Slice slice) {
        return Objects.requireNonNull(layers.get(slice));
    }

    private Optional<Compaction> firstStale() {
        return facts.stream()
                .filter(SliceFacts::stale)
                .map(SliceFacts::slice)
                .min(Comparator.comparingInt(Slice::level).thenComparing(Slice::from))
                .map(
                        slice ->
                                inPlace(
                                        slice,
                                        isOldest(slice),
                                        "slice %d: other settings".formatted(slice.blobId())));
    }

    private static Compaction inPlace(Slice slice, boolean bottom, String reason) {
        return new Compaction(List.of(slice), slice.level(), Kind.MERGE, bottom, reason);
    }

    private boolean isOldest(Slice slice) {
        boolean oldestOfLevel =
                slice.level() > 0
                        || levels.overlapping(0, slice).stream()
                                .noneMatch(other -> other.generation() < slice.generation());
        return oldestOfLevel && levels.emptyFrom(slice.level() + 1, slice);
    }

    /// Moves slices down to a level, merging them with all slices they overlap on the way.
    private Compaction down(List<Slice> chosen, int outputLevel, String reason) {
        int below = chosen.getFirst().level() + 1;
        List<Slice> inputs = withOverlapping(chosen, below, outputLevel);
        boolean alone = inputs.size() == chosen.size();
        inputs = withSmallNeighbours(inputs, outputLevel);
        boolean bottom = levels.emptyFrom(outputLevel + 1, Levels.hull(inputs));
        boolean move = alone && canMove(chosen, inputs);
        Kind kind = move ? Kind.MOVE : Kind.MERGE;
        return new Compaction(move ? chosen : inputs, outputLevel, kind, bottom, reason);
    }

    private List<Slice> withOverlapping(List<Slice> chosen, int from, int to) {
        List<Slice> inputs = new ArrayList<>(chosen);
        for (int level = from; level <= to; level++) {
            inputs.addAll(levels.overlapping(level, Levels.hull(inputs)));
        }
        return inputs;
    }

    /// If the inputs are small, adds the adjacent tables of the output level that are small too.
    /// Otherwise a tablet that is written slowly in key order would end up with a great many small
    /// tables.
    private List<Slice> withSmallNeighbours(List<Slice> inputs, int outputLevel) {
        if (!isSmall(Levels.bytes(inputs))) {
            return inputs;
        }
        Slice hull = Levels.hull(inputs);
        List<Slice> all = new ArrayList<>(inputs);
        levels.at(outputLevel).stream()
                .filter(slice -> slice.from().compareTo(hull.from()) < 0)
                .reduce((_, later) -> later)
                .filter(slice -> isSmall(slice.bytes()) && !all.contains(slice))
                .ifPresent(all::add);
        levels.at(outputLevel).stream()
                .filter(slice -> hull.to() != null && slice.from().compareTo(hull.to()) >= 0)
                .findFirst()
                .filter(slice -> isSmall(slice.bytes()))
                .ifPresent(all::add);
        return all;
    }

    private boolean canMove(List<Slice> chosen, List<Slice> withNeighbours) {
        if (chosen.size() == 1) {
            return withNeighbours.size() == 1;
        }
        List<Slice> byKey = chosen.stream().sorted(Comparator.comparing(Slice::from)).toList();
        for (int index = 0; index < byKey.size(); index++) {
            if (isSmall(byKey.get(index).bytes())
                    || (index > 0 && byKey.get(index - 1).overlaps(byKey.get(index)))) {
                return false;
            }
        }
        return true;
    }

    private boolean isSmall(long bytes) {
        return bytes < options.tableBytes() / SMALL_TABLE_PART;
    }
}
