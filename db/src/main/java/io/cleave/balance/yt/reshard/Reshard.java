package io.cleave.balance.yt.reshard;

import io.cleave.balance.Figure;
import io.cleave.base.Check;

import java.util.List;
import java.util.stream.Collectors;

/// Replaces adjacent tablets by `newCount` tablets of about equal size.
///
/// @param tabletIds in key order
/// @param cause what is wrong with the tablet that the action begins with
public record Reshard(List<Long> tabletIds, int newCount, Cause cause, List<Figure> figures) {
    /// What is wrong with a tablet.
    public enum Cause {
        TOO_SMALL("too small"),
        TOO_LARGE("too large");

        private final String text;

        Cause(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public Reshard {
        tabletIds = List.copyOf(tabletIds);
        figures = List.copyOf(figures);
        Check.that(
                newCount >= 1 && (newCount > 1 || tabletIds.size() > 1),
                "a reshard of %d tablets into %d changes nothing",
                tabletIds.size(),
                newCount);
    }

    public String text() {
        return "reshard tablet%s %s into %d: %s; %s"
                .formatted(
                        tabletIds.size() == 1 ? "" : "s",
                        tabletIds.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                        newCount,
                        figures.stream().map(Figure::text).collect(Collectors.joining(", ")),
                        cause.text());
    }
}
