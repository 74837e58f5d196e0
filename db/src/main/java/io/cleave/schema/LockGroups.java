package io.cleave.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The lock groups of a table's columns. Two transactions with row locks that write different
/// groups of a row are not in conflict.
///
/// A set of groups is a bit mask. Bit 0 is the primary group: columns without a group of their own
/// are in it, and it overlaps every group. Immutable.
public final class LockGroups {
    /// All columns are in the primary group.
    public static final LockGroups NONE = new LockGroups(List.of(), new int[0]);

    public static final long PRIMARY = 1;

    /// The name of the primary group.
    public static final String PRIMARY_NAME = "<primary>";

    private final List<String> names;

    /// Numbers of groups, by column id; 0 is the primary group. Columns that are not in the array
    /// are in the primary group.
    private final int[] byColumnId;

    /// `names` are the groups from number 1 on.
    LockGroups(List<String> names, int[] byColumnId) {
        this.names = List.copyOf(names);
        this.byColumnId = byColumnId;
    }

    /// The groups are numbered in the order of the table's columns.
    public static LockGroups of(Table table) {
        YtTable yt = table.options().yt().orElse(null);
        if (yt == null || yt.columns().values().stream().noneMatch(c -> c.lock().isPresent())) {
            return NONE;
        }
        List<String> names = new ArrayList<>();
        int[] byColumnId = new int[table.nextColumnId()];
        for (Column column : table.columns()) {
            YtColumn known = yt.columns().get(column.id());
            if (known != null && known.lock().isPresent()) {
                String name = known.lock().get();
                if (!names.contains(name)) {
                    names.add(name);
                }
                byColumnId[column.id()] = names.indexOf(name) + 1;
            }
        }
        return new LockGroups(names, byColumnId);
    }

    public static boolean overlap(long some, long others) {
        return (some & others) != 0
                || (some != 0 && others != 0 && ((some | others) & PRIMARY) != 0);
    }

    /// Whether all columns are in the primary group.
    public boolean areOne() {
        return byColumnId.length == 0;
    }

    /// The group that a write of this column needs.
    public long ofColumn(int columnId) {
        return columnId < byColumnId.length ? 1L << byColumnId[columnId] : PRIMARY;
    }

    /// The group with this name; 0 if there is none.
    public long named(String name) {
        if (name.equals(PRIMARY_NAME)) {
            return PRIMARY;
        }
        int found = names.indexOf(name);
        return found < 0 ? 0 : 1L << (found + 1);
    }

    /// The name of the first group of the mask.
    public String name(long groups) {
        int number = Long.numberOfTrailingZeros(groups);
        return number == 0 || number > names.size() ? PRIMARY_NAME : names.get(number - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockGroups groups
                && names.equals(groups.names)
                && Arrays.equals(byColumnId, groups.byColumnId);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(byColumnId);
    }
}
