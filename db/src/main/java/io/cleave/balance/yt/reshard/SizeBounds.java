package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.TableSettings;

import java.util.ArrayList;
import java.util.List;

/// How large the tablets of a table should be. A tablet below `min` or above `max` is brought near
/// to `desired`.
///
/// @param origins where the sizes come from, in the order in which they were applied
public record SizeBounds(long min, long desired, long max, List<String> origins) {
    /// How far a size may be from the desired one if only that is known.
    static final double TOLERANCE = 1.9;

    public SizeBounds {
        origins = List.copyOf(origins);
    }

    /// The bounds of a table.
    public static SizeBounds of(ReshardTable table, ReshardOptions options) {
        long tableBytes = 0;
        for (ReshardTablet tablet : table.tablets()) {
            tableBytes += tablet.bytes(table.inMemoryMode());
        }
        return new Steps(table, options, tableBytes).bounds();
    }

    /// Into how many tablets data of this size is cut.
    int count(long bytes) {
        long unit = Math.max(1, desired);
        long rounded = bytes / unit + (bytes % unit >= (unit + 1) / 2 ? 1 : 0);
        return Math.clamp(rounded, 1, ReshardOptions.MAX_TABLETS);
    }

    /// Whether tablets fit that this much data is cut into.
    boolean isGood(long bytes) {
        return fits(bytes / count(bytes));
    }

    boolean fits(long bytes) {
        return bytes >= min && bytes <= max;
    }

    /// The bounds as figures, the same for every tablet of a table.
    List<Figure> figures() {
        return List.of(
                Figure.bytes("min", min),
                Figure.bytes("desired", desired),
                Figure.bytes("max", max));
    }

    public String text() {
        var text = new StringBuilder();
        for (Figure figure : figures()) {
            text.append(text.isEmpty() ? "" : ", ").append(figure.text());
        }
        return text + ": " + String.join("; ", origins);
    }

    /// The steps that lead to the bounds, each of which may change what the ones before have set.
    private static final class Steps {
        private final ReshardTable table;
        private final ReshardOptions options;
        private final long tableBytes;
        private final List<String> origins = new ArrayList<>();
        private long min;
        private long desired;
        private long max;

        Steps(ReshardTable table, ReshardOptions options, long tableBytes) {
            this.table = table;
            this.options = options;
            this.tableBytes = tableBytes;
        }

        SizeBounds bounds() {
            TableSettings settings = table.settings();
            if (settings.desiredTabletCount().isPresent()) {
                byCount(settings.desiredTabletCount().getAsInt());
            } else {
                if (!bySizesOfTable(settings)) {
                    bySizesOfBundle(table.bundle());
                }
                limitCount();
            }
            settings.minTabletCount().ifPresent(this::allowCount);
            raiseToLeast(options.minDesiredTabletSize());
            return new SizeBounds(min, desired, max, origins);
        }

        private void byCount(int wanted) {
            int count = Math.clamp(wanted, 1, ReshardOptions.MAX_TABLETS);
            desired = Math.ceilDiv(tableBytes, count);
            min = lower(desired);
            max = upper(desired);
            origins.add("desired_tablet_count " + wanted);
        }

        /// The manual's rule: sizes that are not in order are as if they were not set.
        private boolean bySizesOfTable(TableSettings settings) {
            long[] sizes = {
                settings.minTabletSize().orElse(-1),
                settings.desiredTabletSize().orElse(-1),
                settings.maxTabletSize().orElse(-1)
            };
            boolean areSet = sizes[0] >= 0 && sizes[1] >= 0 && sizes[2] >= 0;
            if (!areSet) {
                return false;
            }
            if (sizes[0] >= sizes[1] || sizes[1] >= sizes[2]) {
                origins.add("the sizes of the table are not in order");
                return false;
            }
            min = sizes[0];
            desired = sizes[1];
            max = sizes[2];
            origins.add("sizes of the table");
            return true;
        }

        private void bySizesOfBundle(BundleSettings bundle) {
            boolean isInMemory = table.inMemoryMode() != InMemoryMode.NONE;
            min = isInMemory ? bundle.minInMemoryTabletSize() : bundle.minTabletSize();
            desired = isInMemory ? bundle.desiredInMemoryTabletSize() : bundle.desiredTabletSize();
            max = isInMemory ? bundle.maxInMemoryTabletSize() : bundle.maxTabletSize();
            origins.add(isInMemory ? "in-memory sizes of the bundle" : "sizes of the bundle");
        }

        /// A table has no more tablets than its bundle can bear. If the ratio to the cells is what
        /// limits them, `min` stays as it is: a table that is moved to a smaller bundle is not
        /// merged.
        private void limitCount() {
            double byRatio = table.cells() * table.bundle().tabletToCellRatio();
            boolean isByRatio =
                    !options.ignoreTabletToCellRatio() && byRatio < ReshardOptions.MAX_TABLETS;
            double most = isByRatio ? Math.max(1, byRatio) : ReshardOptions.MAX_TABLETS;
            long least = (long) Math.ceil(tableBytes / most);
            if (desired < least) {
                desired = least;
                max = upper(least);
                if (!isByRatio) {
                    min = lower(least);
                }
                origins.add(
                        isByRatio
                                ? "at most %d tablets in %d cells"
                                        .formatted((long) most, table.cells())
                                : "at most %d tablets".formatted((long) most));
            }
        }

        /// Tablets may become as small as this count requires.
        private void allowCount(int minCount) {
            long most = tableBytes / minCount;
            if (desired > most) {
                desired = Math.max(2, most);
                min = Math.min(min, desired - 1);
                origins.add("min_tablet_count " + minCount);
            }
        }

        private void raiseToLeast(long least) {
            if (desired < least) {
                min = Math.min(least / 2, min);
                desired = least;
                max = Math.max(2 * least, max);
                origins.add("at least the min_desired_tablet_size of the cluster");
            }
        }

        private static long lower(long desired) {
            return (long) (desired / TOLERANCE);
        }

        private static long upper(long desired) {
            return (long) (desired * TOLERANCE);
        }
    }
}
