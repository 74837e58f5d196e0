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

/// The media that DATA of a column family may name. A family that names none is stored on `ssd`.
/// That name means the store's default medium, unless the store has a medium called `ssd`.
///
/// @param stored the media names of the store, which include every medium that a table uses
public record Media(Set<String> stored) {
    /// The name for users of the medium that always exists.
    public static final String DEFAULT = "ssd";

    private static final String UNNAMED = "";

    public Media {
        stored = Set.copyOf(stored);
    }

    /// The names for users: the default medium first, then the others in alphabetical order.
    public List<String> names() {
        var others = new TreeSet<>(stored);
        others.remove(UNNAMED);
        others.remove(DEFAULT);
        List<String> names = new ArrayList<>(List.of(DEFAULT));
        names.addAll(others);
        return names;
    }

    /// The store's name for the medium of a family; each medium has exactly one such name.
    String storedName(ColumnFamily family) {
        String name = family.data().isEmpty() ? DEFAULT : family.data();
        return name.equals(DEFAULT) && !stored.contains(name) ? UNNAMED : name;
    }

    /// Throws if a family of the table names an unknown medium.
    public void check(Table table) {
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
