package io.cleave.balance.yt.move;

import io.cleave.balance.Figure;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The moves of a round, and why the other tablets stay. Figures and texts are made when somebody
/// asks.
public final class MovePlan {
    private final BundleLoad load;
    private final List<CellMove> moves;
    private final Stays stays;
    private final CellFigures cellFigures;

    /// What a round knows of a tablet and of its cell.
    interface CellFigures {
        List<Figure> of(int tablet);
    }

    MovePlan(BundleLoad load, List<CellMove> moves, Stays stays, CellFigures cellFigures) {
        this.load = load;
        this.moves = List.copyOf(moves);
        this.stays = stays;
        this.cellFigures = cellFigures;
    }

    /// In the order in which they are carried out.
    public List<CellMove> moves() {
        return moves;
    }

    /// Why the tablet stays; empty if it is moved.
    public Optional<StayReason> stay(int tablet) {
        return stays.get(tablet);
    }

    /// What the round knows of the tablet and of its cell.
    public List<Figure> figures(int tablet) {
        return cellFigures.of(tablet);
    }

    /// As [#stay], with figures.
    public Optional<String> stayText(int tablet) {
        return stay(tablet).map(reason -> text(tablet, reason));
    }

    private String text(int tablet, StayReason reason) {
        String figures =
                cellFigures.of(tablet).stream().map(Figure::text).collect(Collectors.joining(", "));
        return "leave tablet %d in cell %d: %s%s"
                .formatted(
                        load.tabletId(tablet),
                        load.cellId(load.cellOf(tablet)),
                        figures.isEmpty() ? "" : figures + "; ",
                        reason.text());
    }

    /// A reason for each tablet, or null for one that is moved.
    static final class Stays {
        private final @Nullable StayReason[] reasons;

        /// Every tablet has the same reason, until another is set.
        Stays(int tabletCount, StayReason reason) {
            reasons = new StayReason[tabletCount];
            Arrays.fill(reasons, reason);
        }

        Optional<StayReason> get(int tablet) {
            return Optional.ofNullable(reasons[tablet]);
        }

        boolean is(int tablet, StayReason reason) {
            return reasons[tablet] == reason;
        }

        void set(int tablet, StayReason reason) {
            reasons[tablet] = reason;
        }

        void setMoved(int tablet) {
            reasons[tablet] = null;
        }
    }
}
