package io.cleave.access;

import static io.cleave.access.Right.ALTER_SCHEMA;
import static io.cleave.access.Right.CONNECT;
import static io.cleave.access.Right.CREATE_DATABASE;
import static io.cleave.access.Right.CREATE_DIRECTORY;
import static io.cleave.access.Right.CREATE_QUEUE;
import static io.cleave.access.Right.CREATE_TABLE;
import static io.cleave.access.Right.DESCRIBE_SCHEMA;
import static io.cleave.access.Right.DROP_DATABASE;
import static io.cleave.access.Right.ERASE_ROW;
import static io.cleave.access.Right.READ_ATTRIBUTES;
import static io.cleave.access.Right.REMOVE_SCHEMA;
import static io.cleave.access.Right.SELECT_ROW;
import static io.cleave.access.Right.UPDATE_ROW;
import static io.cleave.access.Right.WRITE_ATTRIBUTES;
import static io.cleave.access.Right.WRITE_USER_ATTRIBUTES;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The permissions of YDB: their full names, the keywords that GRANT uses for them, and the rights
/// that each contains.
public final class Permissions {
    /// The permission that ALL stands for.
    public static final String FULL = "ydb.generic.full";

    private static final int LIST = bits(READ_ATTRIBUTES, DESCRIBE_SCHEMA);
    private static final int READ = LIST | bits(SELECT_ROW);
    private static final int WRITE =
            bits(
                    UPDATE_ROW,
                    ERASE_ROW,
                    WRITE_ATTRIBUTES,
                    CREATE_DIRECTORY,
                    CREATE_TABLE,
                    CREATE_QUEUE,
                    REMOVE_SCHEMA,
                    ALTER_SCHEMA,
                    WRITE_USER_ATTRIBUTES);
    private static final int USE_LEGACY = READ | WRITE | bits(Right.GRANT);
    private static final int USE = USE_LEGACY | bits(CONNECT);
    private static final int MANAGE = bits(CREATE_DATABASE, DROP_DATABASE);

    private static final Map<String, String> BY_WORDS = new TreeMap<>();
    private static final Map<String, Integer> RIGHTS = new TreeMap<>();

    static {
        add("CONNECT", "ydb.database.connect", bits(CONNECT));
        add("CREATE", "ydb.database.create", bits(CREATE_DATABASE));
        add("DROP", "ydb.database.drop", bits(DROP_DATABASE));
        add("GRANT", "ydb.access.grant", bits(Right.GRANT));
        add("LIST", "ydb.generic.list", LIST);
        add("SELECT", "ydb.generic.read", READ);
        add("INSERT", "ydb.generic.write", WRITE);
        add("MANAGE", "ydb.generic.manage", MANAGE);
        add("USE", "ydb.generic.use", USE);
        add("USE LEGACY", "ydb.generic.use_legacy", USE_LEGACY);
        add("FULL", FULL, USE | MANAGE);
        add("FULL LEGACY", "ydb.generic.full_legacy", USE_LEGACY | MANAGE);
        add("SELECT TABLES", "ydb.tables.read", bits(SELECT_ROW, READ_ATTRIBUTES));
        add("MODIFY TABLES", "ydb.tables.modify", bits(UPDATE_ROW, ERASE_ROW));
        add("SELECT ROW", "ydb.granular.select_row", bits(SELECT_ROW));
        add("UPDATE ROW", "ydb.granular.update_row", bits(UPDATE_ROW));
        add("ERASE ROW", "ydb.granular.erase_row", bits(ERASE_ROW));
        add("SELECT ATTRIBUTES", "ydb.granular.read_attributes", bits(READ_ATTRIBUTES));
        add("MODIFY ATTRIBUTES", "ydb.granular.write_attributes", bits(WRITE_ATTRIBUTES));
        add("CREATE DIRECTORY", "ydb.granular.create_directory", bits(CREATE_DIRECTORY));
        add("CREATE TABLE", "ydb.granular.create_table", bits(CREATE_TABLE));
        add("CREATE QUEUE", "ydb.granular.create_queue", bits(CREATE_QUEUE));
        add("REMOVE SCHEMA", "ydb.granular.remove_schema", bits(REMOVE_SCHEMA));
        add("DESCRIBE SCHEMA", "ydb.granular.describe_schema", bits(DESCRIBE_SCHEMA));
        add("ALTER SCHEMA", "ydb.granular.alter_schema", bits(ALTER_SCHEMA));
    }

    private Permissions() {}

    private static void add(String words, String name, int rights) {
        BY_WORDS.put(words, name);
        RIGHTS.put(name, rights);
    }

    private static int bits(Right... rights) {
        int bits = 0;
        for (Right right : rights) {
            bits |= right.bit();
        }
        return bits;
    }

    /// The full name of a permission that is given by keywords or by its full name.
    public static Optional<String> find(String name) {
        String named = BY_WORDS.get(name);
        return named != null ? Optional.of(named) : Optional.of(name).filter(RIGHTS::containsKey);
    }

    /// The bits of the rights that a permission contains; none for an unknown name.
    static int rights(String name) {
        return RIGHTS.getOrDefault(name, 0);
    }
}
