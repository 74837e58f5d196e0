package io.cleave.cluster;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The media that DATA of a column family may name. The default medium, which the store knows by
/// the empty name, is `ssd` to users.
///
/// @param stored the names that the store knows
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

    /// What the store calls the medium of a family.
    String storedName(ColumnFamily family) {
        boolean byDefault =
                family.data().equals(Scheme.DEFAULT_MEDIUM) && !stored.contains(family.data());
        return byDefault ? UNNAMED : family.data();
    }

    /// The first family whose medium is not there.
    Optional<ColumnFamily> homeless(Table table) {
        return table.families().stream()
                .filter(family -> !stored.contains(storedName(family)))
                .findFirst();
    }

    /// Refuses a table whose families want media that are not there.
    void check(Table table) {
        homeless(table)
                .ifPresent(
                        family -> {
                            throw new StatusException(
                                    Status.BAD_REQUEST,
                                    Issue.error(
                                            Issue.BAD_REQUEST,
                                            "Unknown medium '%s' of column family '%s', there are: %s"
                                                    .formatted(
                                                            family.data(),
                                                            family.name(),
                                                            String.join(", ", names()))));
                        });
    }
}
