package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.schema.Partitioning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides which adjacent tablets to merge.
///
/// Merged tablets stay below the split thresholds, with a margin: less than half of the split size
/// (0.9 of it if the table has too many tablets) and at most `mergeShare` of the split load. The
/// load is the peak, which must be known for the whole merge window. Tablets from a split by load
/// are merged only when their load is lower than it was then, because the load of the pieces need
/// not add up to that of the original.
final class MergeRules {
    private static final long MILLIS_PER_SECOND = 1000;

    private final TableState table;
    private final BalanceSettings settings;
    private final long limitBytes;

    /// Why each neighbour of the last run was not included, in words.
    private final List<String> rejected = new ArrayList<>();

    MergeRules(TableState table, BalanceSettings settings) {
        this.table = table;
        this.settings = settings;
        double share =
                table.isCrowded() ? Thresholds.CROWDED_SIZE_SHARE : Thresholds.MERGE_SIZE_SHARE;
        limitBytes = (long) (table.splitBytes(settings) * share);
    }

    /// Merges one run of adjacent tablets, around the smallest tablet that has such a run.
    Optional<Merge> merge() {
        Partitioning wanted = table.partitioning();
        long spare = table.tablets().size() - Math.max(1, wanted.minCount());
        boolean isWanted = wanted.bySize() || wanted.byLoad() || table.isCrowded();
        if (spare < 1 || !isWanted || wanted.minCount() == Partitioning.NO_MERGES) {
            return Optional.empty();
        }
        long most = Math.min(spare + 1, settings.maxWays());
        List<TabletState> all = table.tablets();
        return IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingLong(index -> all.get(index).bytes()))
                .map(seed -> run(seed, most))
                .filter(run -> run.size() > 1)
                .findFirst()
                .map(this::merge);
    }

    /// A run from `seed`, extended to the left and then to the right as far as possible.
    private List<TabletState> run(int seed, long most) {
        List<TabletState> all = table.tablets();
        rejected.clear();
        List<TabletState> run = new ArrayList<>(List.of(all.get(seed)));
        if (!isOld(all.get(seed))) {
            return run;
        }
        for (int left = seed - 1; left >= 0 && run.size() < most; left--) {
            if (!takes(run, all.get(left))) {
                break;
            }
            run.addFirst(all.get(left));
        }
        for (int right = seed + 1; right < all.size() && run.size() < most; right++) {
            if (!takes(run, all.get(right))) {
                break;
            }
            run.addLast(all.get(right));
        }
        return run;
    }

    private boolean isOld(TabletState tablet) {
        return tablet.ageMillis() >= leastAgeMillis();
    }

    /// For a merge by load, the peak must be known for the whole merge window. A table with too
    /// many tablets does not wait for that.
    private long leastAgeMillis() {
        long age = settings.mergeAge().toMillis();
        boolean goesByPeak = table.partitioning().byLoad() && !table.isCrowded();
        return goesByPeak ? Math.max(age, settings.mergeWindow().toMillis()) : age;
    }

    private boolean takes(List<TabletState> run, TabletState next) {
        List<TabletState> all = new ArrayList<>(run);
        all.add(next);
        String why = whyNot(all, next);
        if (!why.isEmpty()) {
            rejected.add("tablet %d: %s".formatted(next.tabletId(), why));
        }
        return why.isEmpty();
    }

    /// Empty if the run may be merged.
    private String whyNot(List<TabletState> run, TabletState next) {
        if (!isOld(next)) {
            return "it is not %d s old yet".formatted(leastAgeMillis() / MILLIS_PER_SECOND);
        }
        double megabytes = bytes(run) / (double) (1 << 20);
        if (bytes(run) >= limitBytes) {
            return String.format(Locale.ROOT, "the merged tablet would have %.1f MB", megabytes);
        }
        if (!table.partitioning().byLoad()) {
            return "";
        }
        if (cores(run) > settings.mergeCores()) {
            return String.format(
                    Locale.ROOT,
                    "the merged tablet would have a load of %.1f %% of a core",
                    cores(run) * 100);
        }
        double queue = run.stream().mapToDouble(TabletState::peakQueue).sum();
        if (queue > settings.splitQueue() * settings.mergeShare()) {
            return String.format(
                    Locale.ROOT, "%.1f commits would wait for the merged tablet", queue);
        }
        // The lowest load that caused one of the splits is the limit for all of them.
        double parent =
                run.stream()
                        .mapToDouble(TabletState::parentCores)
                        .filter(cores -> cores > 0)
                        .min()
                        .orElse(0);
        if (parent > 0 && cores(run) > parent * settings.mergeShare()) {
            return String.format(
                    Locale.ROOT,
                    "they were split at %.1f %% of a core and still have %.1f %%",
                    parent * 100,
                    cores(run) * 100);
        }
        return "";
    }

    private Merge merge(List<TabletState> run) {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.bytes("total size", bytes(run), limitBytes));
        Rule rule = table.isCrowded() ? Rule.MERGE_TO_MAXIMUM : Rule.MERGE_BY_SIZE;
        if (table.partitioning().byLoad()) {
            figures.add(Figure.cores("total peak CPU time", cores(run), settings.mergeCores()));
            rule = table.isCrowded() ? rule : Rule.MERGE_BY_LOAD;
        }
        long youngest = run.stream().mapToLong(TabletState::ageMillis).min().orElse(0);
        figures.add(
                Figure.seconds(
                        "age",
                        (double) youngest / MILLIS_PER_SECOND,
                        (double) leastAgeMillis() / MILLIS_PER_SECOND));
        if (table.isCrowded()) {
            figures.add(
                    Figure.count(
                            "tablets",
                            table.tablets().size(),
                            (double) table.partitioning().maxCount()));
        }
        return new Merge(run.stream().map(TabletState::tabletId).toList(), rule, figures, rejected);
    }

    private static long bytes(List<TabletState> run) {
        return run.stream().mapToLong(TabletState::bytes).sum();
    }

    private static double cores(List<TabletState> run) {
        return run.stream().mapToDouble(TabletState::peakCores).sum();
    }
}
