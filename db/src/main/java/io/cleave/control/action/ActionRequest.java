package io.cleave.control.action;

import io.cleave.base.Bytes;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.schema.Table;

import java.util.List;
import java.util.OptionalInt;

/// An action that somebody asks for. The parameters mean what they mean in [TabletAction.Content].
///
/// @param tabletIds RESHARD: neighbours, in key order
/// @param pivotKeys RESHARD: also if the client has only given a count. Then whoever asks has
///   chosen the keys, which may be fewer
public record ActionRequest(
        Kind kind,
        Table table,
        List<Long> tabletIds,
        List<Long> cellIds,
        List<Bytes> pivotKeys,
        OptionalInt tabletCount,
        boolean skipFreezing,
        Keeping keeping,
        Origin origin) {
    public ActionRequest {
        tabletIds = List.copyOf(tabletIds);
        cellIds = List.copyOf(cellIds);
        pivotKeys = List.copyOf(pivotKeys);
    }

    /// Moves a tablet for the balancer.
    public static ActionRequest move(
            Table table, long tabletId, long toCellId, Origin origin, Keeping keeping) {
        return new ActionRequest(
                Kind.MOVE,
                table,
                List.of(tabletId),
                List.of(toCellId),
                List.of(),
                OptionalInt.empty(),
                false,
                keeping,
                origin);
    }

    /// Gives neighbours new first keys, for the balancer.
    public static ActionRequest reshard(
            Table table,
            List<Long> tabletIds,
            List<Bytes> pivotKeys,
            Origin origin,
            Keeping keeping) {
        return new ActionRequest(
                Kind.RESHARD,
                table,
                tabletIds,
                List.of(),
                pivotKeys,
                OptionalInt.empty(),
                false,
                keeping,
                origin);
    }
}
