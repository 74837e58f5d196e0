package io.cleave.balance.yt.move;

import io.cleave.balance.Figure;

import java.util.List;
import java.util.stream.Collectors;

/// Moves a tablet to another cell of its bundle.
public record CellMove(
        long tabletId, long fromCellId, long toCellId, Reason reason, List<Figure> figures) {
    /// Why a tablet is moved.
    public enum Reason {
        IN_MEMORY("its cell uses more memory than the mean"),
        TABLE_SPREAD("its cell has more tablets of the table than its share"),
        EMPTY_CELL("its cell has more surplus tablets than other cells"),
        METRIC("it makes the load of cells and nodes more even");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public CellMove {
        figures = List.copyOf(figures);
    }

    public String text() {
        return "move tablet %d from cell %d to cell %d: %s; %s"
                .formatted(
                        tabletId,
                        fromCellId,
                        toCellId,
                        figures.stream().map(Figure::text).collect(Collectors.joining(", ")),
                        reason.text());
    }
}
