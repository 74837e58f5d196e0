package io.cleave.schema;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A change of the tree that is not about the columns or the settings of a table. Paths are
/// absolute.
public sealed interface SchemeChange {
    /// All rows go at once; what the table is stays.
    record TruncateTable(String path) implements SchemeChange {}

    record CreateView(String path, String text, String pathPrefix, boolean ifNotExists)
            implements SchemeChange {}

    record DropView(String path, boolean ifExists) implements SchemeChange {}

    /// What is empty stays. A restart without a number is one at the start.
    record AlterSequence(
            String path,
            boolean ifExists,
            OptionalLong start,
            OptionalLong increment,
            Optional<OptionalLong> restart)
            implements SchemeChange {}

    /// Makes tables that have the rows of others as they are at one moment, all of them or none.
    record CopyTables(List<Copy> copies) implements SchemeChange {
        public CopyTables {
            copies = List.copyOf(copies);
        }
    }

    record Copy(String from, String to, boolean omitIndexes) {}

    record Access(AccessChange change) implements SchemeChange {}
}
