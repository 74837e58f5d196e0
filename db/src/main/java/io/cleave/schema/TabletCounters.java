package io.cleave.schema;

import java.util.Arrays;
import java.util.List;

/// What a tablet has done since its counters started, and how fast it did it lately. Estimates.
///
/// The rates of a tablet that came from others by a split, a merge or a move go on from theirs; its
/// counts start at 0.
@SuppressWarnings("EnumOrdinal") // places in arrays that are never stored
public final class TabletCounters {
    /// The time over which a rate is taken. Older work fades away.
    public enum Window {
        MINUTE("rate", 60),
        TEN_MINUTES("10m_rate", 600),
        HOUR("1h_rate", 3600);

        private final String text;
        private final int seconds;

        Window(String text, int seconds) {
            this.text = text;
            this.seconds = seconds;
        }

        /// What YTsaurus adds to the name of a counter.
        public String text() {
            return text;
        }

        public int seconds() {
            return seconds;
        }
    }

    private static final int COUNTERS = TabletCounter.values().length;
    private static final int WINDOWS = Window.values().length;

    /// Of a tablet that has done nothing.
    public static final TabletCounters NONE =
            new TabletCounters(new double[COUNTERS], new double[WINDOWS * COUNTERS], 0);

    /// By ordinal of the counter.
    private final double[] counts;

    /// Per second, by ordinal of the window and then of the counter.
    private final double[] rates;

    private final double measuredSeconds;

    private TabletCounters(double[] counts, double[] rates, double measuredSeconds) {
        this.counts = counts;
        this.rates = rates;
        this.measuredSeconds = measuredSeconds;
    }

    /// Of a tablet that has done nothing for so long.
    public static TabletCounters idle(double measuredSeconds) {
        return new TabletCounters(NONE.counts, NONE.rates, measuredSeconds);
    }

    /// The figures of a tablet.
    public static final class Builder {
        private final double[] counts = new double[COUNTERS];
        private final double[] rates = new double[WINDOWS * COUNTERS];
        private double measuredSeconds;

        public Builder count(TabletCounter counter, double count) {
            counts[counter.ordinal()] = count;
            return this;
        }

        public Builder rate(TabletCounter counter, Window window, double perSecond) {
            rates[place(counter, window)] = perSecond;
            return this;
        }

        public Builder measured(double seconds) {
            measuredSeconds = seconds;
            return this;
        }

        public TabletCounters build() {
            return new TabletCounters(counts.clone(), rates.clone(), measuredSeconds);
        }
    }

    private static int place(TabletCounter counter, Window window) {
        return window.ordinal() * COUNTERS + counter.ordinal();
    }

    public long count(TabletCounter counter) {
        return (long) counts[counter.ordinal()];
    }

    public double perSecond(TabletCounter counter, Window window) {
        return rates[place(counter, window)];
    }

    /// How long the rates have been measured, for the tablet itself or for those it came from.
    public double measuredSeconds() {
        return measuredSeconds;
    }

    /// A part of what a tablet did.
    ///
    /// @param share from 0 to 1
    public record Part(TabletCounters of, double share) {}

    /// The rates of a tablet that has these parts of others. Its counts are 0.
    public static TabletCounters fromParts(List<Part> parts) {
        if (parts.stream().allMatch(part -> part.of().equals(NONE))) {
            return NONE;
        }
        double[] rates = new double[WINDOWS * COUNTERS];
        double measuredSeconds = 0;
        for (Part part : parts) {
            for (int place = 0; place < rates.length; place++) {
                rates[place] += part.share() * part.of().rates[place];
            }
            measuredSeconds = Math.max(measuredSeconds, part.of().measuredSeconds);
        }
        return new TabletCounters(new double[COUNTERS], rates, measuredSeconds);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TabletCounters that
                && Arrays.equals(counts, that.counts)
                && Arrays.equals(rates, that.rates)
                && measuredSeconds == that.measuredSeconds;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(counts) + Arrays.hashCode(rates);
    }

    @Override
    public String toString() {
        return "counts %s, rates %s".formatted(Arrays.toString(counts), Arrays.toString(rates));
    }
}
