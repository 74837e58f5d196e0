package io.cleave.node;

import io.cleave.balance.BalanceSettings;
import io.cleave.base.StatusException;
import io.cleave.tablet.CellOptions;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/// The start options that control when tablets are split and merged, how long decisions about that
/// are kept, and when erases are flushed: see `docs/partitioning.md`.
public final class PartitioningOptions {
    public static final String AUTO = "--auto-partitioning";
    public static final String SPLIT_CPU = "--split-cpu";
    public static final String CELL_CPU = "--cell-cpu";
    public static final String CELL_MB = "--cell-mb";
    public static final String LOAD_WINDOW = "--load-window";
    public static final String MERGE_WINDOW = "--merge-window";
    public static final String MERGE_AGE = "--merge-age";
    public static final String TAIL_HORIZON = "--tail-horizon";
    public static final String FLUSH_AGE = "--flush-age";
    public static final String KEEP_DECISIONS = "--keep-decisions";

    public static final Set<String> NAMES =
            Set.of(
                    AUTO,
                    SPLIT_CPU,
                    CELL_CPU,
                    CELL_MB,
                    LOAD_WINDOW,
                    MERGE_WINDOW,
                    MERGE_AGE,
                    TAIL_HORIZON,
                    FLUSH_AGE,
                    KEEP_DECISIONS);

    private static final double PERCENT = 100;

    private PartitioningOptions() {}

    /// The settings with the given options. Throws [IllegalArgumentException], with a message, if
    /// one is wrong.
    static BalanceSettings read(Map<String, String> given) {
        BalanceSettings settings = BalanceSettings.DEFAULT;
        try {
            return settings.withTimes(
                            seconds(given, LOAD_WINDOW, settings.loadWindow()),
                            seconds(given, MERGE_WINDOW, settings.mergeWindow()),
                            seconds(given, MERGE_AGE, settings.mergeAge()),
                            seconds(given, TAIL_HORIZON, settings.tailHorizon()))
                    .withSplitCores(cores(given, SPLIT_CPU, settings.splitCores()))
                    .withCells(
                            cores(given, CELL_CPU, settings.cellCores()),
                            megabytes(given, CELL_MB, settings.cellBytes()))
                    .withKeepDecisions(days(given, KEEP_DECISIONS, settings.keepDecisions()))
                    .withEnabled(isOn(given));
        } catch (StatusException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// The options of cells with the given options. Throws [IllegalArgumentException], with a
    /// message, if one is wrong.
    static CellOptions read(CellOptions cells, Map<String, String> given) {
        Duration usual = Duration.ofMillis(cells.flushAgeMillis());
        return cells.withFlushAgeMillis(seconds(given, FLUSH_AGE, usual).toMillis());
    }

    private static boolean isOn(Map<String, String> given) {
        return switch (given.getOrDefault(AUTO, "on")) {
            case "on" -> true;
            case "off" -> false;
            default -> throw wrong(AUTO, "on or off", given);
        };
    }

    /// Cores, given as a percentage of one.
    private static double cores(Map<String, String> given, String name, double otherwise) {
        String text = given.getOrDefault(name, "" + otherwise * PERCENT);
        if (!text.matches("[0-9]{1,5}(\\.[0-9]{1,3})?")) {
            throw wrong(name, "a percentage like 50", given);
        }
        return Double.parseDouble(text) / PERCENT;
    }

    /// Bytes, given as a number of megabytes.
    private static long megabytes(Map<String, String> given, String name, long otherwise) {
        String text = given.getOrDefault(name, "" + (otherwise >> 20));
        if (!text.matches("[0-9]{1,9}")) {
            throw wrong(name, "a number of megabytes", given);
        }
        return Long.parseLong(text) << 20;
    }

    private static Duration seconds(Map<String, String> given, String name, Duration otherwise) {
        String text = given.getOrDefault(name, "" + otherwise.toSeconds());
        if (!text.matches("[0-9]{1,9}")) {
            throw wrong(name, "a number of seconds", given);
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    private static Duration days(Map<String, String> given, String name, Duration otherwise) {
        String text = given.getOrDefault(name, "" + otherwise.toDays());
        if (!text.matches("[0-9]{1,9}")) {
            throw wrong(name, "a number of days", given);
        }
        return Duration.ofDays(Long.parseLong(text));
    }

    private static IllegalArgumentException wrong(
            String name, String what, Map<String, String> given) {
        return new IllegalArgumentException(
                "%s must be %s, not '%s'".formatted(name, what, given.get(name)));
    }
}
