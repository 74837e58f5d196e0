package io.cleave.schema;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A change of the schema tree that does not concern the columns or settings of a table. Paths are
/// absolute.
public sealed interface SchemeChange {
    /// Removes all rows at once; the definition of the table stays.
    record TruncateTable(String path) implements SchemeChange {}

    record CreateView(String path, String text, String pathPrefix, boolean ifNotExists)
            implements SchemeChange {}

    record DropView(String path, boolean ifExists) implements SchemeChange {}

    /// Empty options stay unchanged. A restart without a number restarts at the start value.
    record AlterSequence(
            String path,
            boolean ifExists,
            OptionalLong start,
            OptionalLong increment,
            Optional<OptionalLong> restart)
            implements SchemeChange {}

    /// Creates copies of tables with the rows of one moment; either all copies are created or none.
    record CopyTables(List<Copy> copies) implements SchemeChange {
        public CopyTables {
            copies = List.copyOf(copies);
        }
    }

    /// The copy of one table.
    ///
    /// @param unmounted whether the tablets of the copy are unmounted, as those of a table that was
    ///   created through YTsaurus' API are
    record Copy(String from, String to, boolean omitIndexes, boolean unmounted) {
        public Copy(String from, String to, boolean omitIndexes) {
            this(from, to, omitIndexes, false);
        }
    }

    record Access(AccessChange change) implements SchemeChange {}
}
