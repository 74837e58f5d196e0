package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.DecimalType;
import tech.ydb.table.values.DictType;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.OptionalType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.TupleValue;
import tech.ydb.table.values.Value;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Every type that a column can have, through parameters and through literals, and back; and what
/// parameters can have beyond that.
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypesTest {
    private final Clients clients;
    private final String directory;

    TypesTest(Clients clients) {
        this.clients = clients;
        directory = clients.newDirectory();
    }

    /// A value of a column: its type in YQL, how a literal writes it, and what the SDK makes of it.
    record Sample(String type, String literal, Value<?> value) {
        @Override
        public String toString() {
            return type + " " + literal.substring(0, Math.min(literal.length(), 60));
        }
    }

    static Stream<Sample> samples() {
        return Stream.of(
                        integers(),
                        numbers(),
                        texts(),
                        List.of(
                                sample("Bool", "true", PrimitiveValue.newBool(true)),
                                sample("Bool", "false", PrimitiveValue.newBool(false))),
                        dates(),
                        wideDates())
                .flatMap(List::stream);
    }

    private static List<Sample> integers() {
        return List.of(
                sample("Int8", "-128t", PrimitiveValue.newInt8(Byte.MIN_VALUE)),
                sample("Int8", "127t", PrimitiveValue.newInt8(Byte.MAX_VALUE)),
                sample("Uint8", "255ut", PrimitiveValue.newUint8(255)),
                sample("Int16", "-32768s", PrimitiveValue.newInt16(Short.MIN_VALUE)),
                sample("Int16", "32767s", PrimitiveValue.newInt16(Short.MAX_VALUE)),
                sample("Uint16", "65535us", PrimitiveValue.newUint16(65_535)),
                sample("Int32", "-2147483648", PrimitiveValue.newInt32(Integer.MIN_VALUE)),
                sample("Int32", "2147483647", PrimitiveValue.newInt32(Integer.MAX_VALUE)),
                sample("Uint32", "4294967295u", PrimitiveValue.newUint32(4_294_967_295L)),
                sample("Int64", "-9223372036854775808l", PrimitiveValue.newInt64(Long.MIN_VALUE)),
                sample("Int64", "9223372036854775807l", PrimitiveValue.newInt64(Long.MAX_VALUE)),
                sample("Uint64", "18446744073709551615ul", PrimitiveValue.newUint64(-1L)),
                sample("Uint64", "0ul", PrimitiveValue.newUint64(0)));
    }

    private static List<Sample> numbers() {
        return List.of(
                sample("Float", "1.5f", PrimitiveValue.newFloat(1.5f)),
                sample("Float", "Float('3.4028235e38')", PrimitiveValue.newFloat(Float.MAX_VALUE)),
                sample("Double", "-0.1", PrimitiveValue.newDouble(-0.1)),
                sample(
                        "Double",
                        "Double('1.7976931348623157e308')",
                        PrimitiveValue.newDouble(Double.MAX_VALUE)),
                decimal(22, 9, "1234567890123.123456789"),
                decimal(22, 9, "-9999999999999.999999999"),
                decimal(35, 0, "99999999999999999999999999999999999"),
                decimal(35, 35, "-0.99999999999999999999999999999999999"),
                decimal(1, 0, "7"),
                sample("Decimal(22, 9)", "Decimal('inf', 22, 9)", DecimalType.of(22, 9).getInf()),
                sample(
                        "Decimal(22, 9)",
                        "Decimal('-inf', 22, 9)",
                        DecimalType.of(22, 9).getNegInf()),
                sample("Decimal(22, 9)", "Decimal('nan', 22, 9)", DecimalType.of(22, 9).getNaN()));
    }

    private static List<Sample> texts() {
        String uuid = "550e8400-e29b-41d4-a716-446655440000";
        return List.of(
                sample("String", "''", PrimitiveValue.newBytes(new byte[0])),
                sample(
                        "String",
                        "'\\x00\\xff\\n\\''",
                        PrimitiveValue.newBytes(new byte[] {0, -1, '\n', '\''})),
                sample("Utf8", "''u", PrimitiveValue.newText("")),
                sample("Utf8", "'Ж 漢 😀'u", PrimitiveValue.newText("Ж 漢 😀")),
                sample(
                        "Json",
                        "Json('{\"b\": 2,  \"a\": [1.50, null]}')",
                        PrimitiveValue.newJson("{\"b\": 2,  \"a\": [1.50, null]}")),
                sample(
                        "JsonDocument",
                        "JsonDocument('{\"a\":1.5,\"b\":[true,\"x\"]}')",
                        PrimitiveValue.newJsonDocument("{\"a\":1.5,\"b\":[true,\"x\"]}")),
                sample(
                        "Yson",
                        "Yson('{a=1;b=[2;3]}')",
                        PrimitiveValue.newYson("{a=1;b=[2;3]}".getBytes(StandardCharsets.UTF_8))),
                sample("Uuid", "Uuid('" + uuid + "')", PrimitiveValue.newUuid(uuid)),
                sample(
                        "Uuid",
                        "Uuid('ffffffff-ffff-ffff-ffff-ffffffffffff')",
                        PrimitiveValue.newUuid("ffffffff-ffff-ffff-ffff-ffffffffffff")));
    }

    private static List<Sample> dates() {
        return List.of(
                sample("Date", "Date('1970-01-01')", PrimitiveValue.newDate(0)),
                sample(
                        "Date",
                        "Date('2105-12-31')",
                        PrimitiveValue.newDate(LocalDate.of(2105, 12, 31))),
                sample(
                        "Datetime",
                        "Datetime('2105-12-31T23:59:59Z')",
                        PrimitiveValue.newDatetime(LocalDateTime.of(2105, 12, 31, 23, 59, 59))),
                sample(
                        "Timestamp",
                        "Timestamp('2105-12-31T23:59:59.999999Z')",
                        PrimitiveValue.newTimestamp(Instant.parse("2105-12-31T23:59:59.999999Z"))),
                sample(
                        "Interval",
                        "Interval('P1DT2H3M4.567891S')",
                        PrimitiveValue.newInterval(Duration.parse("P1DT2H3M4.567891S"))),
                sample(
                        "Interval",
                        "Interval('-P1D')",
                        PrimitiveValue.newInterval(Duration.ofDays(-1))));
    }

    private static List<Sample> wideDates() {
        return List.of(
                sample(
                        "Date32",
                        "Date32('1812-09-07')",
                        PrimitiveValue.newDate32(LocalDate.of(1812, 9, 7))),
                sample(
                        "Date32",
                        "Date32('148107-12-31')",
                        PrimitiveValue.newDate32(LocalDate.of(148_107, 12, 31))),
                sample(
                        "Datetime64",
                        "Datetime64('1812-09-07T05:30:00Z')",
                        PrimitiveValue.newDatetime64(LocalDateTime.of(1812, 9, 7, 5, 30))),
                sample(
                        "Timestamp64",
                        "Timestamp64('1812-09-07T05:30:00.000001Z')",
                        PrimitiveValue.newTimestamp64(
                                Instant.parse("1812-09-07T05:30:00.000001Z"))),
                sample(
                        "Interval64",
                        "Interval64('P100000D')",
                        PrimitiveValue.newInterval64(Duration.ofDays(100_000))));
    }

    @BeforeAll
    void createTables() {
        samples().map(Sample::type).distinct().forEach(this::createTable);
        createTable("DyNumber");
    }

    private void createTable(String type) {
        clients.define(
                "CREATE TABLE "
                        + table(type)
                        + " (id Int32 NOT NULL, v "
                        + type
                        + ", PRIMARY KEY (id)); ");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aParameterIsReadBack(Sample sample) {
        writeAndRead(sample, "$v", Params.of("$v", sample.value()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void anOptionalParameterIsReadBack(Sample sample) {
        writeAndRead(sample, "$v", Params.of("$v", sample.value().makeOptional()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aDeclaredParameterIsItself(Sample sample) {
        ResultSetReader rows =
                clients.query(
                                "DECLARE $v AS " + sample.type() + "; SELECT $v AS v",
                                Params.of("$v", sample.value()))
                        .getResultSet(0);
        assertThat(rows.getColumnType(0)).isEqualTo(sample.value().getType());
        assertThat(Rows.values(rows)).isEqualTo(List.of(sample.value()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aLiteralIsReadBack(Sample sample) {
        writeAndRead(sample, sample.literal(), Params.empty());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aLiteralHasItsType(Sample sample) {
        ResultSetReader rows = clients.query("SELECT " + sample.literal()).getResultSet(0);
        assertThat(rows.getColumnType(0)).isEqualTo(sample.value().getType());
        assertThat(Rows.values(rows)).isEqualTo(List.of(sample.value()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void nullIsReadBack(Sample sample) {
        OptionalType type = sample.value().getType().makeOptional();
        String table = table(sample.type());
        clients.query(
                "UPSERT INTO " + table + " (id, v) VALUES (1, $v)",
                Params.of("$v", type.emptyValue()));
        assertThat(Rows.values(clients.query(select(table)).getResultSet(0)))
                .isEqualTo(List.of(type.emptyValue()));
        clients.query("UPSERT INTO " + table + " (id, v) VALUES (1, NULL)");
        assertThat(Rows.values(clients.query(select(table)).getResultSet(0)))
                .isEqualTo(List.of(type.emptyValue()));
    }

    private void writeAndRead(Sample sample, String expression, Params params) {
        String table = table(sample.type());
        clients.query("UPSERT INTO " + table + " (id, v) VALUES (1, " + expression + ")", params);
        ResultSetReader rows = clients.query(select(table)).getResultSet(0);
        assertThat(rows.getColumnType(0)).isEqualTo(sample.value().getType().makeOptional());
        assertThat(Rows.values(rows)).isEqualTo(List.of(sample.value().makeOptional()));
    }

    /// The SDK can neither make nor show a DyNumber, but knows its type.
    @Test
    void aDyNumberIsReadAsText() {
        String table = table("DyNumber");
        clients.query("UPSERT INTO " + table + " (id, v) VALUES (1, DyNumber('-12.50'))");
        ResultSetReader rows = clients.query(select(table)).getResultSet(0);
        assertThat(rows.getColumnType(0)).isEqualTo(PrimitiveType.DyNumber.makeOptional());
        assertThat(
                        clients.rows(
                                "SELECT id FROM "
                                        + table
                                        + " WHERE v = DyNumber('-1.25e1') AND v < DyNumber('0')"))
                .containsExactly("1");
    }

    @Test
    void aJsonDocumentIsWrittenInItsOwnWay() {
        String table = table("JsonDocument");
        clients.query(
                "UPSERT INTO " + table + " (id, v) VALUES (1, $v)",
                Params.of("$v", PrimitiveValue.newJsonDocument("{\"b\": 2, \"a\": 1.50}")));
        ResultSetReader rows = clients.query(select(table)).getResultSet(0);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getColumn(0).getJsonDocument()).isEqualTo("{\"a\":1.5,\"b\":2}");
    }

    static Stream<Value<?>> containers() {
        Value<?> one = PrimitiveValue.newInt32(1);
        Value<?> text = PrimitiveValue.newText("x");
        return Stream.of(
                ListType.of(PrimitiveType.Int32).newValue(List.of(one, one)),
                ListType.of(PrimitiveType.Int32).newValue(List.of()),
                TupleValue.of(one, text),
                StructValue.of("a", one, "b", text.makeOptional()),
                DictType.of(PrimitiveType.Text, PrimitiveType.Int32)
                        .newValueCopy(Map.of(text, one)),
                one.makeOptional().makeOptional(),
                OptionalType.of(OptionalType.of(PrimitiveType.Int32))
                        .newValue(PrimitiveType.Int32.makeOptional().emptyValue()));
    }

    @ParameterizedTest
    @MethodSource("containers")
    void aContainerComesBackAsItWas(Value<?> value) {
        ResultSetReader rows =
                clients.query("SELECT $v AS v", Params.of("$v", value)).getResultSet(0);
        assertThat(rows.getColumnType(0)).isEqualTo(value.getType());
        assertThat(Rows.values(rows)).isEqualTo(List.of(value));
    }

    @Test
    void theMembersOfAStructComeByName() {
        Value<?> expected =
                StructValue.of(
                        "a", PrimitiveValue.newText("x"),
                        "b", PrimitiveValue.newInt32(1));
        assertThat(Rows.values(clients.query("SELECT <|b: 1, a: 'x'u|>").getResultSet(0)))
                .isEqualTo(List.of(expected));
        assertThat(
                        Rows.values(
                                clients.query(
                                                "DECLARE $s AS Struct<b: Int32, a: Utf8>;"
                                                        + " SELECT $s",
                                                Params.of("$s", expected))
                                        .getResultSet(0)))
                .isEqualTo(List.of(expected));
    }

    @ParameterizedTest
    @EnumSource(
            value = PrimitiveType.class,
            names = {"TzDate", "TzDatetime", "TzTimestamp"})
    void timeZonesAreNotStored(PrimitiveType type) {
        assertThat(tryCreate(type.toString())).contains("is not supported by storage");
    }

    @ParameterizedTest
    @EnumSource(
            value = PrimitiveType.class,
            names = {"Float", "Double", "Json", "JsonDocument", "Yson"})
    void someTypesAreNoKeys(PrimitiveType type) {
        String refusal =
                clients.tryQuery(
                                "CREATE TABLE `"
                                        + directory
                                        + "/refused` (id "
                                        + type
                                        + ", PRIMARY KEY (id))",
                                TxMode.NONE,
                                Params.empty())
                        .getStatus()
                        .toString();
        assertThat(refusal).contains("wrong key type");
    }

    @Test
    void containersAreNotStored() {
        for (String type :
                List.of("List<Int32>", "Struct<a: Int32>", "Tuple<Int32>", "Dict<Int32, Int32>")) {
            assertThat(tryCreate(type)).contains("Invalid type for column: v.");
        }
    }

    private String tryCreate(String type) {
        return clients.tryQuery(
                        "CREATE TABLE `"
                                + directory
                                + "/refused` (id Int32, v "
                                + type
                                + ", PRIMARY KEY (id))",
                        TxMode.NONE,
                        Params.empty())
                .getStatus()
                .toString();
    }

    private static Sample sample(String type, String literal, Value<?> value) {
        return new Sample(type, literal, value);
    }

    private static Sample decimal(int precision, int scale, String text) {
        return sample(
                "Decimal(" + precision + ", " + scale + ")",
                "Decimal('" + text + "', " + precision + ", " + scale + ")",
                DecimalType.of(precision, scale).newValue(text));
    }

    private static String select(String table) {
        return "SELECT v FROM " + table + " WHERE id = 1";
    }

    /// One table for each type.
    private String table(String type) {
        return "`" + directory + "/" + type.replaceAll("[^A-Za-z0-9]", "_") + "`";
    }
}
