package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;

import io.cleave.cluster.CellInfo;
import io.cleave.tree.Scheme;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// The system view `.sys/tablet_cells`: one row for each cell that tables may be in.
final class CellsView {
    private static final String NAME = "tablet_cells";
    private static final long TABLE_ID = -63;
    private static final int KEY_COLUMNS = 1;

    private CellsView() {}

    static SystemView of(String directory, Scheme scheme, int nodeId) {
        List<ViewColumn<CellInfo>> columns =
                List.of(
                        number("CellId", CellInfo::cellId),
                        text("Bundle", CellInfo::bundle),
                        new ViewColumn<>("NodeId", Primitive.UINT32, _ -> Value.of((long) nodeId)),
                        number("Tablets", CellInfo::tablets),
                        number("PinnedBytes", CellInfo::pinnedBytes));
        return ListedView.of(
                TABLE_ID, directory + "/" + NAME, columns, KEY_COLUMNS, scheme::cellInfos);
    }
}
