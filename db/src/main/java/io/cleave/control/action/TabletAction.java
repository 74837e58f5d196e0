package io.cleave.control.action;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// A change of tablets of one table, and how far it has come.
///
/// @param tabletIds the tablets in it, in key order: those that it changes, and the new ones after
///   a reshard was completed
/// @param error why it failed or has to wait, in words; empty otherwise
/// @param endedMicros when it was completed or failed; 0 before that
public record TabletAction(
        ObjectId id,
        Content content,
        State state,
        List<Long> tabletIds,
        String error,
        long endedMicros) {
    /// What YTsaurus calls it. The codes are stored on disk.
    public enum Kind {
        MOVE(0),
        RESHARD(1);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /// The name in YTsaurus' API.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// YTsaurus' states, without those of tablets that are unmounted for the change: tablets stay
    /// mounted here. The codes are YTsaurus' own, and are stored on disk.
    public enum State {
        /// It waits for its turn or is being carried out.
        PREPARING(0),
        COMPLETED(7),
        FAILED(9),
        /// There is no cell for its tablets. It goes on when the bundle gets one.
        ORPHANED(10);

        private final int code;

        State(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /// The name in YTsaurus' API.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean isFinished() {
            return this == COMPLETED || this == FAILED;
        }
    }

    /// Who asked for it. The codes are stored on disk.
    public enum Origin {
        /// A round of the balancer.
        BALANCER(0),
        /// A command such as `reshard_table_automatic`.
        COMMAND(1),
        /// A client that created the action itself.
        CLIENT(2);

        private final int code;

        Origin(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }

    /// What is to be done. It never changes.
    ///
    /// @param path of the table when the action began
    /// @param bundle of the table when the action began
    /// @param range from the first key of the first tablet to the end of the last one
    /// @param cellIds MOVE: a cell for each tablet, or none if the action chooses them; RESHARD: a
    ///   cell for each new tablet, of which the last ones may be in vain, or none if the new
    ///   tablets stay where they are
    /// @param pivotKeys RESHARD: the first keys of the new tablets, ascending, the first of which
    ///   begins the range; none for a MOVE
    /// @param oldKeys RESHARD: the first keys of the tablets when the action began
    /// @param tabletCount the number of tablets that the client has asked for, if it gave no keys
    /// @param mounted the state of the tablets: MOUNTED or FROZEN
    /// @param skipFreezing the client's wish, which has no effect
    /// @param decision the number of the decision that it follows from; 0 if there is none
    public record Content(
            Kind kind,
            long tableId,
            String path,
            String bundle,
            KeyRange range,
            List<Long> cellIds,
            List<Bytes> pivotKeys,
            List<Bytes> oldKeys,
            OptionalInt tabletCount,
            MountState mounted,
            boolean skipFreezing,
            Keeping keeping,
            Origin origin,
            long decision,
            long createdMicros) {
        public Content {
            cellIds = List.copyOf(cellIds);
            pivotKeys = List.copyOf(pivotKeys);
            oldKeys = List.copyOf(oldKeys);
        }

        /// This, following from the decision with this number.
        Content of(long newDecision) {
            return new Content(
                    kind,
                    tableId,
                    path,
                    bundle,
                    range,
                    cellIds,
                    pivotKeys,
                    oldKeys,
                    tabletCount,
                    mounted,
                    skipFreezing,
                    keeping,
                    origin,
                    newDecision,
                    createdMicros);
        }
    }

    public TabletAction {
        tabletIds = List.copyOf(tabletIds);
    }

    public Kind kind() {
        return content.kind;
    }

    public boolean isFinished() {
        return state.isFinished();
    }

    /// Whether it holds a tablet of the table, which nobody else may change then.
    boolean holds(long tableId, long tabletId, KeyRange range) {
        return !isFinished()
                && content.tableId == tableId
                && switch (content.kind) {
                    case MOVE -> tabletIds.contains(tabletId);
                    case RESHARD -> content.range.intersects(range);
                };
    }

    TabletAction withTablets(List<Long> newIds) {
        return new TabletAction(id, content, state, newIds, error, endedMicros);
    }

    TabletAction ended(State newState, List<Long> newIds, String newError, long micros) {
        return new TabletAction(id, content, newState, newIds, newError, micros);
    }

    /// Not finished, in this state.
    TabletAction waiting(State newState, String newError) {
        return new TabletAction(id, content, newState, tabletIds, newError, 0);
    }
}
