package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.TabletChanges.Attaching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Makes tablets that have what others have at one moment, whatever cells those are in. No row is
/// copied but those that are in memtables: these are flushed first while writes go on, and what
/// came since goes into the record that makes the copy.
///
/// Commits to the copied tablets wait from when the first is sealed until the last is copied; so
/// each of them is in all copies or in none. They are sealed in the order of their cells, which is
/// the order in which transactions over several cells prepare: none waits for a tablet while it
/// holds one that is to be sealed next.
public final class TabletCopies {
    private TabletCopies() {}

    /// A tablet to be, in the cell of `source`.
    public record Copy(Route source, TabletSpec target) {}

    /// Nobody cuts, merges or moves the sources meanwhile. Returns when the copies are durable; if
    /// it throws, some may be there.
    public static List<Route> run(List<Copy> copies, Env env) {
        List<Route> sources =
                copies.stream()
                        .map(Copy::source)
                        .distinct()
                        .sorted(
                                Comparator.comparingLong((Route route) -> route.cell().id())
                                        .thenComparingLong(route -> route.tablet().id()))
                        .toList();
        for (Route source : sources) {
            for (int flush = 0; flush < TabletMove.FLUSHES && !isShort(source); flush++) {
                flush(source);
            }
        }
        List<Attaching> made = copySealed(copies, sources, env);
        made.forEach(attaching -> attaching.durable().run());
        return made.stream().map(Attaching::route).toList();
    }

    private static List<Attaching> copySealed(List<Copy> copies, List<Route> sources, Env env) {
        List<Route> sealed = new ArrayList<>();
        try {
            for (Route source : sources) {
                source.cell().changes().seal(source.tablet().id());
                sealed.add(source);
            }
            for (Route source : sources) {
                if (!isShort(source)) {
                    flush(source);
                }
            }
            List<Attaching> made = new ArrayList<>();
            for (Copy copy : copies) {
                if (env.mayFail("the copy of a tablet")) {
                    throw new StatusException(Status.UNAVAILABLE, "bad luck before a copy");
                }
                Route source = copy.source();
                made.add(source.cell().changes().copy(copy.target(), source.tablet()));
            }
            return made;
        } finally {
            sealed.forEach(source -> source.cell().changes().unseal(source.tablet().id()));
        }
    }

    private static boolean isShort(Route source) {
        return TabletMove.isTailShort(source.tablet());
    }

    private static void flush(Route source) {
        source.cell().flush(List.of(source.tablet().id()));
    }
}
