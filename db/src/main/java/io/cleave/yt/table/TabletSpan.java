package io.cleave.yt.table;

import io.cleave.cluster.TabletInfo;
import io.cleave.schema.KeyRange;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;

/// The tablets that a command names: from the index `first` to the index `last`, both included.
record TabletSpan(int first, int last) {
    /// All tablets, or the tablets that `first_tablet_index` and `last_tablet_index` name.
    static TabletSpan of(CommandParameters parameters, int tabletCount) {
        long first = parameters.number("first_tablet_index").orElse(0L);
        long last = parameters.number("last_tablet_index").orElse(tabletCount - 1L);
        check("First", first, tabletCount);
        check("Last", last, tabletCount);
        if (first > last) {
            throw new YtException(
                    YtCodes.GENERIC, "First tablet index is greater than last tablet index");
        }
        return new TabletSpan((int) first, (int) last);
    }

    private static void check(String which, long index, int tabletCount) {
        if (index < 0 || index >= tabletCount) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "%s tablet index %d is out of range [0, %d]"
                            .formatted(which, index, tabletCount - 1));
        }
    }

    int count() {
        return last - first + 1;
    }

    List<TabletInfo> of(List<TabletInfo> tablets) {
        return tablets.subList(first, last + 1);
    }

    KeyRange range(List<TabletInfo> tablets) {
        return new KeyRange(tablets.get(first).range().from(), tablets.get(last).range().to());
    }
}
