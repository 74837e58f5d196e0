package io.cleave.balance.yt.whatif;

import io.cleave.balance.Decision;
import io.cleave.balance.Rule;
import io.cleave.schema.Table;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What YTsaurus' rules would do with a bundle, and what would come of it.
///
/// @param idle why groups have no round at the time of the question, by their names
/// @param notes what else is to be known: switches that are off, and configs that cannot be read
/// @param departures what cells that are removed give away before the first round, by their ids
/// @param isAtRest whether a further round would change nothing
/// @param newTabletsFrom tablets with this id and higher ones are made by the rounds
/// @param left how many tablets the first round leaves alone for the same reason
public record Forecast(
        String bundle,
        Optional<Instant> at,
        SequencedMap<String, String> idle,
        List<String> notes,
        SequencedMap<Long, Amount> departures,
        List<Round> rounds,
        boolean isAtRest,
        long newTabletsFrom,
        BundleFigures before,
        BundleFigures after,
        List<LeftAlone> left) {
    public Forecast {
        notes = List.copyOf(notes);
        rounds = List.copyOf(rounds);
        left = List.copyOf(left);
    }

    /// A number of tablets, and the size of their rows.
    public record Amount(int tablets, long bytes) {
        static final Amount NONE = new Amount(0, 0);

        Amount plus(int moreTablets, long moreBytes) {
            return new Amount(tablets + moreTablets, bytes + moreBytes);
        }

        Amount plus(Amount other) {
            return plus(other.tablets, other.bytes);
        }
    }

    /// What a round changes: the reshards, and then the moves, which are decided when the reshards
    /// are done.
    ///
    /// @param groups what it changes in each group that it changes
    public record Round(List<Change> changes, Map<String, Sum> groups) {
        public Round {
            changes = List.copyOf(changes);
            groups = Collections.unmodifiableMap(new TreeMap<>(groups));
        }
    }

    /// A reshard or a move.
    public record Change(Table table, Decision decision) {
        /// RESHARD or MOVE.
        public String kind() {
            return decision instanceof Decision.Move ? "MOVE" : "RESHARD";
        }
    }

    /// The changes of a group.
    ///
    /// @param reshards how many actions cut tablets anew
    /// @param resharded the tablets that they cut anew
    /// @param made how many tablets come of that
    public record Sum(int reshards, Amount resharded, int made, Amount moved) {
        public static final Sum NONE = new Sum(0, Amount.NONE, 0, Amount.NONE);

        public Sum plus(Sum other) {
            return new Sum(
                    reshards + other.reshards,
                    resharded.plus(other.resharded),
                    made + other.made,
                    moved.plus(other.moved));
        }
    }

    /// Tablets of a table that are left alone for the same reason.
    ///
    /// @param example one of them
    public record LeftAlone(String path, Rule rule, String why, int tablets, long example) {}

    /// The changes of all rounds.
    public Sum sum() {
        return rounds.stream()
                .flatMap(round -> round.groups().values().stream())
                .reduce(Sum.NONE, Sum::plus);
    }
}
