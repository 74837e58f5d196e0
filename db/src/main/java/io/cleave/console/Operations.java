package io.cleave.console;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What an operator may ask a node for. What cannot be done ends in a
/// [io.cleave.base.StatusException] that says what to do instead. A table's path may leave out the
/// database.
public interface Operations {
    /// Rewrites a table's files, and returns when that is done.
    void compact(String table);

    /// The table's tablets in key order.
    List<TabletRow> tablets(String table);

    /// Cuts the tablets of a table at these keys; without keys the named tablet in halves, or the
    /// largest when none is named. Returns those that have come of it.
    List<TabletRow> split(String table, List<String> keys, OptionalLong tabletId);

    /// Makes one tablet of neighbours.
    TabletRow merge(String table, List<Stretch> tablets);

    /// All tablets from the one to the other, both of them included.
    record Stretch(long firstId, long lastId) {}

    /// Brings a tablet to another cell.
    TabletRow move(String table, long tabletId, long cellId);

    /// What was decided about the table's tablets, the oldest first; with a key, about those that
    /// had it.
    List<DecisionRow> why(String table, Optional<String> key);

    /// What is to be done with them right now; nothing is.
    List<DecisionRow> plan(String table);

    /// A decision as an operator sees it.
    ///
    /// @param timeMicros when it was made, or said first; `lastMicros` when it was said last
    /// @param outcome what came of it, in words, if something did
    /// @param helped YES, NO or NOT_KNOWN, and `verdict` why
    record DecisionRow(
            long timeMicros,
            long lastMicros,
            String kind,
            String rule,
            List<Long> tabletIds,
            String text,
            List<FigureRow> figures,
            List<String> keys,
            List<String> rejected,
            String state,
            long durationMicros,
            String outcome,
            String helped,
            String verdict) {}

    /// A number that a decision goes by; `threshold` is NaN where it is compared with none.
    record FigureRow(String name, double value, double threshold, String unit) {}

    /// The cells of each bundle.
    Map<String, List<Long>> bundles();

    /// Gives the bundle these cells; without any it is removed.
    void putBundle(String name, List<Long> cellIds);

    /// Whether cells can be held up here: a node has to be started so.
    boolean mayFreeze();

    /// Holds a cell up for so long, as if its leader hung. Returns when it does. Only asked for
    /// where it may be.
    void freeze(long cellId, long seconds);

    /// A tablet as an operator sees it.
    ///
    /// @param from its first key as typed values, or null for the first of all keys
    /// @param to the key behind its last, or null
    /// @param ageSeconds since it is what it is where it is, or since the server started
    record TabletRow(
            long tabletId,
            long cellId,
            long epoch,
            @Nullable String from,
            @Nullable String to,
            long rows,
            long bytes,
            double readsPerSecond,
            double writesPerSecond,
            long ageSeconds) {}
}
