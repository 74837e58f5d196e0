package io.cleave.lsm.table;

import io.cleave.lsm.row.Projection;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// Maps column ids to group numbers.
final class GroupLayout {
    private final int[] columns;
    private final int[] groups;

    GroupLayout(List<ColumnGroup> list) {
        var byColumn = new TreeMap<Integer, Integer>();
        for (int group = 1; group < list.size(); group++) {
            for (int column : list.get(group).columns()) {
                byColumn.put(column, group);
            }
        }
        columns = byColumn.keySet().stream().mapToInt(Integer::intValue).toArray();
        groups = byColumn.values().stream().mapToInt(Integer::intValue).toArray();
    }

    int groupOf(int column) {
        int found = Arrays.binarySearch(columns, column);
        return found < 0 ? 0 : groups[found];
    }

    /// Whether the projection has a column of the group.
    boolean isWanted(int group, Projection projection) {
        if (projection.columns == null) {
            return true;
        }
        for (int column : projection.columns) {
            if (groupOf(column) == group) {
                return true;
            }
        }
        return false;
    }
}
