package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Database;
import io.cleave.query.Databases;
import io.cleave.query.ResultLimits;
import io.cleave.query.Session;
import io.cleave.query.Sessions;
import io.cleave.query.Texts;
import io.cleave.schema.Partitioning;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.schema.TableOptions.TtlUnit;
import io.cleave.schema.TableRules;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme.Renaming;
import io.cleave.value.Value;
import io.cleave.wire.value.RequestParts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.ValueProtos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Every limit, at it and one beyond; how many paths there may be is `PathLimitTest`'s.
class LimitsTest {
    private final TestStore store = new TestStore();
    private final Database database = Databases.of(store);

    @AfterEach
    void close() {
        store.close();
    }

    private List<List<Value>> run(String text) {
        return Texts.run(database, store.env(), text);
    }

    private void accepts(String text) {
        run(text);
    }

    private static void refuses(Status status, String words, Runnable body) {
        try {
            body.run();
        } catch (StatusException e) {
            assertThat(e.getMessage()).contains(words);
            assertThat(e.status()).isEqualTo(status);
            return;
        }
        throw new AssertionError("nothing was refused: " + words);
    }

    private void refuses(Status status, String words, String text) {
        refuses(status, words, () -> run(text));
    }

    private static String names(String prefix, int count, String between) {
        return IntStream.range(0, count)
                .mapToObj(number -> prefix + number)
                .collect(Collectors.joining(between));
    }

    private static String table(String name) {
        return "CREATE TABLE `" + name + "` (k Int32, PRIMARY KEY (k))";
    }

    @Test
    void aPathHas32Elements() {
        // The database is the first of them.
        accepts(table(names("d", 31, "/")));
        refuses(
                Status.SCHEME_ERROR,
                "path depth has reached maximum value in the domain",
                table(names("e", 32, "/")));
    }

    /// The table of an index is two elements below its own.
    @Test
    void theTableOfAnIndexHas32ElementsToo() {
        String columns = "(k Int32, v Int32, PRIMARY KEY (k), INDEX i GLOBAL ON (v))";
        String deepest = names("d", 29, "/");
        String tooDeep = names("e", 30, "/");
        String words = "path depth has reached maximum value in the domain";
        accepts("CREATE TABLE `" + deepest + "` " + columns);
        refuses(Status.SCHEME_ERROR, words, "CREATE TABLE `" + tooDeep + "` " + columns);
        accepts("CREATE TABLE t " + columns);
        refuses(Status.SCHEME_ERROR, words, "ALTER TABLE t RENAME TO `" + tooDeep + "`");
        accepts("ALTER TABLE t RENAME TO `" + deepest + "x`");
        accepts(table(tooDeep));
        refuses(
                Status.SCHEME_ERROR,
                words,
                "ALTER TABLE `" + deepest + "x` RENAME TO `" + tooDeep + "x`");
        for (boolean replace : List.of(false, true)) {
            var onto =
                    new Renaming(
                            "/local/" + deepest,
                            "/local/" + tooDeep + (replace ? "" : "y"),
                            replace);
            refuses(Status.SCHEME_ERROR, words, () -> store.tree().renameTables(List.of(onto)));
        }
    }

    @Test
    void anElementHas255Bytes() {
        accepts(table("x".repeat(255)));
        refuses(Status.SCHEME_ERROR, "path part is longer than 255", table("x".repeat(256)));
    }

    @Test
    void anElementHasLettersDigitsAndPunctuation() {
        accepts(table("a!#$%&()*+,-.:;<=>?@[]^_{|}~Z9"));
        for (String wrong : List.of("a b", "\\u0451", "a\\tb", "\\x7f")) {
            refuses(Status.SCHEME_ERROR, "is not allowed in the path part", table(wrong));
        }
    }

    @Test
    void aTableHas35000Tablets() {
        refuses(
                Status.SCHEME_ERROR,
                "Invalid partition count specified: 35001",
                "CREATE TABLE t (k Uint64, PRIMARY KEY (k)) WITH (UNIFORM_PARTITIONS = 35001)");
    }

    @Test
    void aTableHas200Columns() {
        String columns = names("c", 199, " Int32, ");
        accepts("CREATE TABLE t (k Int32, " + columns + " Int32, PRIMARY KEY (k))");
        refuses(Status.SCHEME_ERROR, "Too many columns", "ALTER TABLE t ADD COLUMN x Int32");
        refuses(
                Status.SCHEME_ERROR,
                "Too many columns",
                "CREATE TABLE u (k Int32, x Int32, " + columns + " Int32, PRIMARY KEY (k))");
    }

    @Test
    void aColumnsNameHas255Bytes() {
        String most = "c".repeat(255);
        accepts("CREATE TABLE t (k Int32, " + most + " Int32, PRIMARY KEY (k))");
        refuses(
                Status.SCHEME_ERROR,
                "Column name too long",
                "ALTER TABLE t ADD COLUMN " + most + "c Int32");
    }

    @Test
    void aKeyHas20Columns() {
        for (int count : List.of(20, 21)) {
            String create =
                    "CREATE TABLE t%d (%s Int32, PRIMARY KEY (%s))"
                            .formatted(
                                    count, names("k", count, " Int32, "), names("k", count, ", "));
            if (count == 20) {
                accepts(create);
            } else {
                refuses(Status.SCHEME_ERROR, "Too many key columns", create);
            }
        }
    }

    @Test
    void aTableHas20Indexes() {
        String indexes =
                IntStream.range(0, 20)
                        .mapToObj(number -> "INDEX i%d GLOBAL ON (v)".formatted(number))
                        .collect(Collectors.joining(", "));
        accepts("CREATE TABLE t (k Int32, v Int32, PRIMARY KEY (k), " + indexes + ")");
        refuses(
                Status.SCHEME_ERROR,
                "indexes count has reached maximum value in the table",
                "CREATE TABLE u (k Int32, v Int32, PRIMARY KEY (k), INDEX x GLOBAL ON (v), "
                        + indexes
                        + ")");
        String add = "ALTER TABLE t ADD INDEX x GLOBAL ON (v)";
        refuses(Status.SCHEME_ERROR, "indexes count has reached maximum value in the table", add);
        accepts("ALTER TABLE t DROP INDEX i7");
        accepts(add);
    }

    @Test
    void aTableHas3ReadReplicas() {
        accepts(table("t") + " WITH (READ_REPLICAS_SETTINGS = 'PER_AZ:3')");
        refuses(
                Status.BAD_REQUEST,
                "Read replicas count 4 is too large: at most 3",
                table("u") + " WITH (READ_REPLICAS_SETTINGS = 'ANY_AZ:4')");
        refuses(
                Status.BAD_REQUEST,
                "Read replicas count 4 is too large: at most 3",
                "ALTER TABLE t SET (READ_REPLICAS_SETTINGS = 'PER_AZ:4')");
    }

    @Test
    void aKeyHasOneMegabyte() {
        accepts("CREATE TABLE t (k String, PRIMARY KEY (k))");
        int most = 1 << 20;
        accepts("UPSERT INTO t (k) VALUES (ListConcat(ListReplicate('x', %du)))".formatted(most));
        refuses(
                Status.BAD_REQUEST,
                "bytes is larger than the allowed threshold 1048576",
                "UPSERT INTO t (k) VALUES (ListConcat(ListReplicate('x', %du)))"
                        .formatted(most + 1));
    }

    @Test
    void aFieldHas8Megabytes() {
        accepts("CREATE TABLE t (k Int32, s String, u Utf8, PRIMARY KEY (k))");
        String text = "UPSERT INTO t (k, %s) VALUES (1, %s)";
        String string = "ListConcat(ListReplicate('%s', %du))";
        accepts(text.formatted("s", string.formatted("12345678", 1 << 20)));
        // Two bytes each.
        String letters = "CAST(" + string + " AS Utf8)";
        accepts(text.formatted("u", "Unwrap(" + letters.formatted("ёё", 1 << 21) + ")"));
        refuses(
                Status.BAD_REQUEST,
                "Row cell size of 8388609 bytes is larger than the allowed threshold 8388608",
                text.formatted("s", string.formatted("12345678", 1 << 20) + " || '9'"));
        refuses(
                Status.BAD_REQUEST,
                "Row cell size of 8388609 bytes is larger than the allowed threshold 8388608",
                text.formatted("u", "Unwrap(" + letters.formatted("ёё", 1 << 21) + ") || 'x'u"));
    }

    @Test
    void attributesHaveNamesOf100AndValuesOf4096And10240BytesTogether() {
        accepts(table("t"));
        set(Map.of("n".repeat(100), "v".repeat(4096)));
        refuses(
                Status.BAD_REQUEST,
                "Invalid attribute name",
                () -> set(Map.of("n".repeat(101), "v")));
        refuses(
                Status.BAD_REQUEST,
                "is longer than 4096 bytes",
                () -> set(Map.of("m", "ё".repeat(2048) + "x")));
        // 100 + 4096 are there.
        set(Map.of("b", "v".repeat(4096)));
        int left = 10_240 - (100 + 4096) - (1 + 4096);
        set(Map.of("c", "v".repeat(left - 1)));
        refuses(
                Status.BAD_REQUEST,
                "Attributes take 10241 bytes; at most 10240",
                () -> set(Map.of("c", "v".repeat(left))));
    }

    private void set(Map<String, String> attributes) {
        store.tree().alterTable("/local/t", List.of(new TableChange.SetAttributes(attributes)));
    }

    @Test
    void anAclHas10Kilobytes() {
        accepts(table("t"));
        // Each grant takes the user's name and the permission's.
        String name = "u%03d" + "x".repeat(196);
        int each = 200 + "ydb.generic.read".length();
        int most = (10 << 10) / each;
        for (int number = 0; number < most; number++) {
            accepts("CREATE USER `" + name.formatted(number) + "`");
        }
        String grant = "GRANT 'ydb.generic.read' ON `t` TO `%s`";
        for (int number = 0; number < most; number++) {
            accepts(grant.formatted(name.formatted(number)));
        }
        int left = (10 << 10) - most * each - "ydb.generic.read".length();
        String last = "y".repeat(left);
        accepts("CREATE USER `" + last + "`");
        accepts("CREATE USER `" + last + "y`");
        refuses(Status.SCHEME_ERROR, "path's ACL is too long", grant.formatted(last + "y"));
        accepts(grant.formatted(last));
    }

    @Test
    void aTtlHas4291747199Seconds() {
        accepts("CREATE TABLE t (k Int32, at Timestamp, PRIMARY KEY (k))");
        long most = 4_291_747_199L;
        set(ttl("at", TtlUnit.DATE, most));
        refuses(
                Status.SCHEME_ERROR,
                "Interval value is too large: 4291747200 seconds, at most 4291747199",
                () -> set(ttl("at", TtlUnit.DATE, most + 1)));
    }

    /// A column that counts from there has no values before it.
    @Test
    void aTtlOfNumbersEndsIn1970() {
        accepts("CREATE TABLE t (k Int32, n Uint32, PRIMARY KEY (k))");
        long now = store.env().wallMicros() / 1_000_000;
        set(ttl("n", TtlUnit.SECONDS, now));
        refuses(
                Status.SCHEME_ERROR,
                "TTL should be less than",
                () -> set(ttl("n", TtlUnit.SECONDS, now + 86_400)));
        // To the second.
        long then = 20_000L * 86_400;
        TableRules.checkTtlAge(options(ttl("n", TtlUnit.SECONDS, then)), then * 1_000_000);
        refuses(
                Status.SCHEME_ERROR,
                "TTL should be less than 1728000000 seconds (20000 days). The ttl behaviour is"
                        + " undefined before 1970.",
                () ->
                        TableRules.checkTtlAge(
                                options(ttl("n", TtlUnit.SECONDS, then + 1)),
                                then * 1_000_000 + 999_999));
    }

    private static Ttl ttl(String column, TtlUnit unit, long seconds) {
        return new Ttl(column, unit, seconds, 0);
    }

    private static TableOptions options(Ttl ttl) {
        return new TableOptions(
                Partitioning.DEFAULT, Optional.empty(), Optional.empty(), Optional.of(ttl));
    }

    private void set(Ttl ttl) {
        store.tree().alterTable("/local/t", List.of(new TableChange.SetTtl(ttl)));
    }

    @Test
    void aTextHas131072Characters() {
        String text = "SELECT 1";
        String longest = text + " ".repeat((128 << 10) - text.length());
        accepts(longest);
        refuses(
                Status.BAD_REQUEST,
                "Query text size exceeds limit (131073 > 131072)",
                longest + " ");
    }

    @Test
    void aDataQueryAnswers50Megabytes() {
        // The value's tag and length count.
        int most = (50 << 20) - 2;
        assertThat(answer(most)).hasSize(1);
        refuses(
                Status.PRECONDITION_FAILED,
                "Query result size limit exceeded. (52428801 > 52428800)",
                () -> answer(most + 1));
    }

    /// One string of so many bytes.
    private List<List<Value>> answer(int bytes) {
        String text =
                "SELECT ListConcat(ListReplicate('%s', %du)) || '%s'"
                        .formatted("x".repeat(1 << 10), bytes >> 10, "x".repeat(bytes & 1023));
        return Texts.run(database, store.env(), text, ResultLimits.DATA_QUERY);
    }

    @Test
    void oneCallCopies10000Tables() {
        accepts(table("t"));
        List<SchemeChange.Copy> copies = new ArrayList<>();
        for (int number = 0; number <= 10_000; number++) {
            copies.add(new SchemeChange.Copy("/local/none", "/local/c" + number, false));
        }
        refuses(
                Status.BAD_REQUEST,
                "Too many tables to copy: 10001, at most 10000",
                () -> store.tree().change(new SchemeChange.CopyTables(copies)));
        // At the limit it gets as far as looking for them.
        refuses(
                Status.SCHEME_ERROR,
                "/local/none",
                () -> store.tree().change(new SchemeChange.CopyTables(copies.subList(0, 10_000))));
    }

    @Test
    void parametersHave50Megabytes() {
        int most = 50 << 20;
        int frame = parameter(most).getValue().getSerializedSize() - most;
        var exact = Map.of("$p", parameter(most - frame));
        assertThat(exact.get("$p").getValue().getSerializedSize()).isEqualTo(most);
        assertThat(RequestParts.parameters(exact, RequestParts.types(exact))).hasSize(1);
        var more = Map.of("$p", parameter(most - frame + 1));
        refuses(
                Status.BAD_REQUEST,
                "Parameters have 52428801 bytes, the limit is 52428800",
                () -> RequestParts.parameters(more, RequestParts.types(more)));
    }

    private static ValueProtos.TypedValue parameter(int bytes) {
        return ValueProtos.TypedValue.newBuilder()
                .setType(
                        ValueProtos.Type.newBuilder()
                                .setTypeId(ValueProtos.Type.PrimitiveTypeId.STRING))
                .setValue(
                        ValueProtos.Value.newBuilder()
                                .setBytesValue(ByteString.copyFrom(new byte[bytes])))
                .build();
    }

    @Test
    void aNodeHas1000Sessions() {
        for (int number = 0; number < Sessions.MAX_SESSIONS; number++) {
            database.as(Caller.IN_PROCESS).openSession();
        }
        refuses(
                Status.OVERLOADED,
                "Active sessions limit exceeded, maximum allowed: 1000",
                () -> database.as(Caller.IN_PROCESS).openSession());
    }

    @Test
    void idsHave1024Characters() {
        refuses(
                Status.BAD_SESSION,
                "Session not found",
                () -> database.as(Caller.IN_PROCESS).session("s".repeat(1024)));
        refuses(
                Status.BAD_REQUEST,
                "Session id has 1025 characters",
                () -> database.as(Caller.IN_PROCESS).session("s".repeat(1025)));
        Session session = database.as(Caller.IN_PROCESS).openSession();
        refuses(
                Status.NOT_FOUND,
                "Transaction not found",
                () -> database.commit(session, "t".repeat(1024)));
        refuses(
                Status.BAD_REQUEST,
                "Transaction id has 1025 characters",
                () -> database.commit(session, "t".repeat(1025)));
    }
}
