package io.cleave.lsm.table;

import io.cleave.lsm.row.Projection;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// Maps column ids to family numbers.
final class FamilyLayout {
    private final int[] columns;
    private final int[] families;

    FamilyLayout(List<StoredFamily> list) {
        var byColumn = new TreeMap<Integer, Integer>();
        for (int family = 1; family < list.size(); family++) {
            for (int column : list.get(family).columns()) {
                byColumn.put(column, family);
            }
        }
        columns = byColumn.keySet().stream().mapToInt(Integer::intValue).toArray();
        families = byColumn.values().stream().mapToInt(Integer::intValue).toArray();
    }

    int familyOf(int column) {
        int found = Arrays.binarySearch(columns, column);
        return found < 0 ? 0 : families[found];
    }

    /// Whether the projection has a column of the family.
    boolean isWanted(int family, Projection projection) {
        if (projection.columns == null) {
            return true;
        }
        for (int column : projection.columns) {
            if (familyOf(column) == family) {
                return true;
            }
        }
        return false;
    }
}
