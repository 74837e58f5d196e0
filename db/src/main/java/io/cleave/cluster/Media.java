package io.cleave.cluster;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The media that DATA of a column family may name. A family that names none lies on `ssd`, which
/// is the store's default medium unless it has one of that name.
///
/// @param stored the names that the store knows; it must know a medium as long as tables lie there
record Media(Set<String> stored) {
    private static final String UNNAMED = "";

    Media {
        stored = Set.copyOf(stored);
    }

    /// For users: the default medium first, then the others by name.
    List<String> names() {
        var others = new TreeSet<>(stored);
        others.remove(UNNAMED);
        others.remove(Scheme.DEFAULT_MEDIUM);
        List<String> names = new ArrayList<>(List.of(Scheme.DEFAULT_MEDIUM));
        names.addAll(others);
        return names;
    }

    /// What the store calls the medium of a family: the same name for the same medium.
    String storedName(ColumnFamily family) {
        String name = family.data().isEmpty() ? Scheme.DEFAULT_MEDIUM : family.data();
        return name.equals(Scheme.DEFAULT_MEDIUM) && !stored.contains(name) ? UNNAMED : name;
    }

    /// Refuses a table whose families want media that are not there.
    void check(Table table) {
        for (ColumnFamily family : table.families()) {
            if (!stored.contains(storedName(family))) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                Issue.BAD_REQUEST,
                                "Unknown medium '%s' of column family '%s', there are: %s"
                                        .formatted(
                                                family.data(),
                                                family.name(),
                                                String.join(", ", names()))));
            }
        }
    }
}
