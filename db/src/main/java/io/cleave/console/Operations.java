package io.cleave.console;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The operations that one caller may request from a node. A request that cannot be carried out
/// throws a [io.cleave.base.StatusException] that says what to do instead. The path of a table may
/// omit the database.
public interface Operations {
    /// Rewrites a table's files; returns when that is done.
    void compact(String table);

    /// The table's tablets in key order.
    List<TabletRow> tablets(String table);

    /// Splits the table's tablets at these keys. Without keys, splits the given tablet, or else the
    /// largest one, into halves. Returns the new tablets.
    List<TabletRow> split(String table, List<String> keys, OptionalLong tabletId);

    /// Merges adjacent tablets into one.
    TabletRow merge(String table, List<Stretch> tablets);

    /// All tablets from `firstId` to `lastId` in key order, both included.
    record Stretch(long firstId, long lastId) {}

    /// Moves a tablet to another cell.
    TabletRow move(String table, long tabletId, long cellId);

    /// The decisions about the table's tablets; with a key, only about tablets that contained it.
    Decisions why(String table, Optional<String> key);

    /// The decisions for the table's tablets at present; none of them is carried out.
    List<DecisionRow> plan(String table);

    /// What YTsaurus' rules would do with all tables of a bundle; nothing is carried out.
    BundlePlan plan(BundlePlan.Question question);

    /// When YTsaurus' rules balance the tables of a bundle in the next 24 hours.
    RoundList rounds(String bundle);

    /// The latest decisions, oldest first.
    ///
    /// @param hasOlder whether there are more, which are older
    /// @param sinceMicros every split, merge and move since then is known
    /// @param present what holds now; empty for a table whose balancer notes it by itself
    record Decisions(
            List<DecisionRow> rows,
            boolean hasOlder,
            long sinceMicros,
            Optional<Present> present) {}

    /// What YTsaurus' rules would do with tablets now, and why they leave the others alone.
    ///
    /// @param notes when the table is balanced, or why it is not
    /// @param more how many decisions are not among the rows
    record Present(List<String> notes, List<DecisionRow> rows, int more) {}

    /// A decision as an operator sees it.
    ///
    /// @param timeMicros when it was first made; `lastMicros` is when it was last repeated or
    ///   retried
    /// @param outcome the result in words; empty if there is none
    /// @param helped YES, NO or NOT_KNOWN; `verdict` says why
    /// @param action the id of the action that carries it out; empty if there is none
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
            String verdict,
            String action) {}

    /// A number that a decision is based on; `threshold` is NaN if there is none.
    record FigureRow(String name, double value, double threshold, String unit) {}

    /// The cells of each bundle.
    Map<String, List<Long>> bundles();

    /// Sets the cells of the bundle. A bundle without cells is removed.
    void putBundle(String name, List<Long> cellIds);

    /// Freezes a cell for this time, as if its leader hung. Returns when the cell is frozen. Called
    /// only if [OperatorAccess#mayFreeze].
    void freeze(long cellId, long seconds);

    /// A tablet as an operator sees it.
    ///
    /// @param from its first key in text form; null if it has no lower bound
    /// @param to the first key after its range in text form; null if it has no upper bound
    /// @param ageSeconds the time since the tablet was created, split, merged or moved, or since
    ///   the server started
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
