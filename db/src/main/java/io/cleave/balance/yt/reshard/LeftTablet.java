package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;

import java.util.List;
import java.util.stream.Collectors;

/// A tablet that is left as it is, with the reason and the figures that it goes by.
public record LeftTablet(long tabletId, LeaveReason reason, List<Figure> figures) {
    public LeftTablet {
        figures = List.copyOf(figures);
    }

    public String text() {
        String with =
                figures.isEmpty()
                        ? ""
                        : figures.stream().map(Figure::text).collect(Collectors.joining(", "))
                                + "; ";
        return "leave tablet " + tabletId + ": " + with + reason.text();
    }
}
