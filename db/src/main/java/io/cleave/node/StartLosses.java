package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.log.Log;
import io.cleave.log.LogLoss;
import io.cleave.tablet.CellAgreement.Lost;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What a start finds to be missing: a line of the server's log for each, and whether it may go on.
///
/// Threads: the one that starts.
final class StartLosses {
    private static final System.Logger LOGGER = System.getLogger(StartLosses.class.getName());

    /// Told one by one in the message of a refused start.
    private static final int MOST_TOLD = 5;

    private final boolean isAccepted;

    /// Cells of whose logs something was cut or given up.
    private final Set<Long> cells = new TreeSet<>();

    private final List<String> texts = new ArrayList<>();

    StartLosses(boolean isAccepted) {
        this.isAccepted = isAccepted;
    }

    void opened(long cellId, Log log) {
        for (LogLoss loss : log.losses()) {
            cells.add(cellId);
            texts.add(loss.text());
            LOGGER.log(System.Logger.Level.WARNING, "cell {0}: {1}", cellId, loss.text());
        }
    }

    boolean has(long cellId) {
        return cells.contains(cellId);
    }

    boolean hasOthers(long cellId) {
        return cells.stream().anyMatch(each -> each != cellId);
    }

    /// The same with what was cut before, if anything was: what does not fit may be for that.
    CorruptionException explain(CorruptionException e) {
        if (texts.isEmpty()) {
            return e;
        }
        var explained =
                new CorruptionException(
                        e.file(),
                        e.fileOffset(),
                        "%s. Perhaps because this start %s"
                                .formatted(e.what(), String.join(", and ", texts)));
        explained.initCause(e);
        return explained;
    }

    /// Parts of transactions that other cells know of.
    void refuseUnlessAccepted(List<Lost> lost) {
        if (lost.isEmpty()) {
            return;
        }
        if (!isAccepted) {
            List<String> told = lost.stream().limit(MOST_TOLD).map(Lost::text).toList();
            String more =
                    lost.size() > MOST_TOLD
                            ? "; and %d more".formatted(lost.size() - MOST_TOLD)
                            : "";
            throw new CorruptionException(lost.getFirst().log(), 0, String.join("; ", told) + more);
        }
        for (Lost part : lost) {
            cells.add(part.cellId());
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0}: going on without it, as --accept-loss asks",
                    part.text());
        }
    }
}
