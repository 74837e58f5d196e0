package io.cleave.schema;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The permissions of YDB: their full names, and the keywords that GRANT uses for them.
public final class Permissions {
    /// The permission that ALL stands for.
    public static final String FULL = "ydb.generic.full";

    private static final Map<String, String> BY_WORDS = byWords();

    private Permissions() {}

    private static Map<String, String> byWords() {
        Map<String, String> names = new TreeMap<>();
        names.put("CONNECT", "ydb.database.connect");
        names.put("CREATE", "ydb.database.create");
        names.put("DROP", "ydb.database.drop");
        names.put("GRANT", "ydb.access.grant");
        names.put("LIST", "ydb.generic.list");
        names.put("SELECT", "ydb.generic.read");
        names.put("INSERT", "ydb.generic.write");
        names.put("MANAGE", "ydb.generic.manage");
        names.put("USE", "ydb.generic.use");
        names.put("USE LEGACY", "ydb.generic.use_legacy");
        names.put("FULL", FULL);
        names.put("FULL LEGACY", "ydb.generic.full_legacy");
        names.put("SELECT TABLES", "ydb.tables.read");
        names.put("MODIFY TABLES", "ydb.tables.modify");
        names.put("SELECT ROW", "ydb.granular.select_row");
        names.put("UPDATE ROW", "ydb.granular.update_row");
        names.put("ERASE ROW", "ydb.granular.erase_row");
        names.put("SELECT ATTRIBUTES", "ydb.granular.read_attributes");
        names.put("MODIFY ATTRIBUTES", "ydb.granular.write_attributes");
        names.put("CREATE DIRECTORY", "ydb.granular.create_directory");
        names.put("CREATE TABLE", "ydb.granular.create_table");
        names.put("CREATE QUEUE", "ydb.granular.create_queue");
        names.put("REMOVE SCHEMA", "ydb.granular.remove_schema");
        names.put("DESCRIBE SCHEMA", "ydb.granular.describe_schema");
        names.put("ALTER SCHEMA", "ydb.granular.alter_schema");
        return names;
    }

    /// The full name of a permission that is given by keywords or by its full name.
    public static Optional<String> find(String name) {
        String named = BY_WORDS.get(name);
        return named != null
                ? Optional.of(named)
                : Optional.of(name).filter(BY_WORDS::containsValue);
    }
}
