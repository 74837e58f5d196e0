package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.CellResharding.Attaching;
import io.cleave.tablet.record.TabletSpec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Copies tablets, in any cells, as of one moment. Only rows in memtables are copied, everything
/// else shares files. Memtables are flushed first, while writes continue; rows written after that
/// go into the record that creates the copy.
///
/// Commits to the source tablets wait from the first seal until the last copy is made. So each
/// commit is in all copies or in none. Tablets are sealed in the order of their cells, in which
/// multi-cell transactions also prepare. So no transaction waits for a sealed tablet while it holds
/// one that is to be sealed next.
///
/// Threads: any.
public final class TabletCopies {
    private TabletCopies() {}

    /// A tablet to create in the cell of `source`.
    public record Copy(Route source, TabletSpec target) {}

    /// The sources must not be split, merged or moved meanwhile. Returns when all copies are
    /// durable. If it throws, some copies may exist.
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
                Cell.of(source).resharding().seal(source.tablet().id());
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
                made.add(Cell.of(source).resharding().copy(copy.target(), source.tablet()));
            }
            return made;
        } finally {
            sealed.forEach(source -> Cell.of(source).resharding().unseal(source.tablet().id()));
        }
    }

    private static boolean isShort(Route source) {
        return TabletMove.isTailShort(source.tablet());
    }

    private static void flush(Route source) {
        source.cell().structure().flush(List.of(source.tablet().id()));
    }
}
