package io.cleave.balance.ydb;

import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts.Access;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.ydb.KeyWeights.HotKey;
import io.cleave.base.Bytes;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Warnings for the user about a table's keys, rows and maximum number of tablets.
final class Warnings {
    static final long LONG_KEY_BYTES = 2 << 10;
    static final long LARGE_ROW_BYTES = 8 << 20;

    private Warnings() {}

    /// Warnings that need no samples.
    static List<Warn> ofRows(TabletState tablet) {
        List<Warn> warnings = new ArrayList<>();
        if (tablet.largestKeyBytes() > LONG_KEY_BYTES) {
            warnings.add(
                    warn(
                            tablet,
                            Rule.WARN_LONG_KEY,
                            Figure.bytes("longest", tablet.largestKeyBytes(), LONG_KEY_BYTES),
                            List.of(),
                            "keys are kept in memory and compared often: make them shorter"));
        }
        if (tablet.largestRowBytes() > LARGE_ROW_BYTES) {
            warnings.add(
                    warn(
                            tablet,
                            Rule.WARN_LARGE_ROW,
                            Figure.bytes("largest", tablet.largestRowBytes(), LARGE_ROW_BYTES),
                            List.of(),
                            "a row is read and written as a whole: store large values in several"
                                    + " rows"));
        }
        return warnings;
    }

    /// Warnings from the samples of a busy tablet. There must be at least `MIN_SAMPLES` of them.
    static List<Warn> ofSamples(
            TabletState tablet,
            KeyColumns columns,
            List<KeySample> samples,
            Optional<GrowingKeys> growing) {
        List<Warn> warnings = new ArrayList<>();
        HotKey hottest = new KeyWeights(samples).hottest();
        if (hottest.isHot()) {
            warnings.add(
                    warn(
                            tablet,
                            Rule.WARN_HOT_KEY,
                            Figure.share(
                                    "share of the load", hottest.share(), Thresholds.HOT_KEY_SHARE),
                            List.of(hottest.key()),
                            "a split cannot divide the load of a single key: spread it over"
                                    + " several keys, or cache it"));
        }
        growing.ifPresent(
                keys ->
                        warnings.add(
                                warn(
                                        tablet,
                                        Rule.WARN_GROWING_KEY,
                                        keys.figure(),
                                        List.of(keys.frontier()),
                                        "all new rows go to one tablet: add a hash of the key as"
                                                + " its first column")));
        nullKey(columns, samples)
                .ifPresent(
                        key ->
                                warnings.add(
                                        warn(
                                                tablet,
                                                Rule.WARN_NULL_KEY,
                                                Figure.count("samples", samples.size(), Double.NaN),
                                                List.of(key),
                                                "rows with NULL in the key are all in one place:"
                                                        + " make the key columns NOT NULL")));
        return warnings;
    }

    private static Optional<Bytes> nullKey(KeyColumns columns, List<KeySample> samples) {
        return samples.stream()
                .filter(sample -> sample.access() == Access.WRITE)
                .map(KeySample::key)
                .filter(
                        key ->
                                columns.decode(key)
                                        .filter(
                                                values ->
                                                        Arrays.stream(values)
                                                                .anyMatch(Value::isNull))
                                        .isPresent())
                .findFirst();
    }

    static Warn maximum(TableState table, TabletState tablet, List<Figure> figures) {
        List<Figure> all = new ArrayList<>(figures);
        all.add(Figure.count("tablets", table.tablets().size(), Double.NaN));
        return new Warn(
                tablet.tabletId(),
                Rule.WARN_MAXIMUM,
                all,
                List.of(),
                "increase AUTO_PARTITIONING_MAX_PARTITIONS_COUNT to have it split");
    }

    /// Only a split by force exceeds the maximum.
    static Warn beyondMaximum(
            TableState table, TabletState tablet, List<Figure> figures, long tabletCount) {
        List<Figure> all = new ArrayList<>(figures);
        long max = table.partitioning().maxTablets();
        all.add(Figure.count("tablets", (double) tabletCount, (double) max));
        return new Warn(
                tablet.tabletId(),
                Rule.WARN_MAXIMUM,
                all,
                List.of(),
                "it is split beyond the maximum because it is too large: increase"
                        + " AUTO_PARTITIONING_MAX_PARTITIONS_COUNT");
    }

    private static Warn warn(
            TabletState tablet, Rule rule, Figure figure, List<Bytes> keys, String advice) {
        return new Warn(tablet.tabletId(), rule, List.of(figure), keys, advice);
    }
}
