package io.cleave.tablet;

import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.tablet.CellRecord.Commit;
import io.cleave.tablet.CellRecord.Compacted;
import io.cleave.tablet.CellRecord.CreateTablets;
import io.cleave.tablet.CellRecord.DropTablets;
import io.cleave.tablet.CellRecord.Flushed;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.State;
import io.cleave.tablet.CellState.Replayed;

import org.jspecify.annotations.Nullable;

/// Brings a cell back from its log. Two passes: the first finds the newest [State], the second
/// applies what that state does not hold. See [CellRecord] for which records those are.
final class CellReplay {
    private final Log log;
    private final CellState state;
    private long statePosition = -1;

    private CellReplay(Log log, CellState state) {
        this.log = log;
        this.state = state;
    }

    static void run(Log log, CellState state) {
        var replay = new CellReplay(log, state);
        replay.restoreNewestState();
        replay.applyTheRest();
    }

    private void restoreNewestState() {
        @Nullable State newest = null;
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                if (RecordCodec.isState(cursor.record())
                        && RecordCodec.decode(cursor.record()) instanceof State found) {
                    newest = found;
                    statePosition = cursor.position();
                }
            }
        }
        if (newest != null) {
            state.restore(newest);
        }
    }

    private void applyTheRest() {
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                state.countLogged(cursor.record().length());
                apply(cursor.position(), RecordCodec.decode(cursor.record()));
            }
        }
    }

    private void apply(long position, CellRecord record) {
        switch (record) {
            case Commit(long timestamp, var writes) -> {
                for (TabletWrites tablet : writes) {
                    if (wants(tablet.tabletId(), position)) {
                        state.write(timestamp, tablet);
                    }
                }
            }
            case Freeze(long tabletId) -> {
                if (wants(tabletId, position)) {
                    state.apply(position, record);
                }
            }
            case CreateTablets _, DropTablets _, Flushed _, Compacted _, State _ -> {
                if (position > statePosition) {
                    state.apply(position, record);
                }
            }
        }
    }

    /// Whether a row event at this position is missing in the tablet's files.
    private boolean wants(long tabletId, long position) {
        Replayed replayed = state.replayed(tabletId);
        return replayed != null && position >= replayed.replayFrom;
    }
}
