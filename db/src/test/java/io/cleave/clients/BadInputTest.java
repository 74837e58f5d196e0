package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.Session;
import tech.ydb.table.query.Params;
import tech.ydb.table.settings.CommitTxSettings;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.Value;

import java.time.Duration;

/// Each mistake is YDB's status with a message that names the thing, and the session lives on.
@ExtendWith(SharedServer.class)
class BadInputTest {
    private final Clients clients;
    private final String table;
    private final QuerySession session;

    BadInputTest(Clients clients) {
        this.clients = clients;
        table = clients.newDirectory() + "/t";
        session = clients.queries().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    @BeforeEach
    void createTable() {
        clients.define(
                "CREATE TABLE `"
                        + table
                        + "` (id Int32 NOT NULL, must Utf8 NOT NULL, may Float, b String,"
                        + " PRIMARY KEY (id))");
    }

    /// Whatever was refused, the same session answers the next query.
    @AfterEach
    void theSessionLivesOn() {
        QueryReader reader =
                QueryReader.readFrom(session.createQuery("SELECT 1", TxMode.SERIALIZABLE_RW))
                        .join()
                        .getValue();
        assertThat(Rows.of(reader.getResultSet(0))).containsExactly("1");
        session.close();
    }

    @Test
    void anUnknownTable() {
        Status status = refused("SELECT * FROM `" + table + "x`");
        assertThat(status.getCode()).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(status.toString()).contains("Cannot find table 'db.[" + table + "x]'");
    }

    @Test
    void anUnknownColumnIsNamedWithAGuess() {
        Status status = refused("SELECT mus FROM `" + table + "`");
        assertThat(status.getCode()).isEqualTo(StatusCode.GENERIC_ERROR);
        assertThat(status.toString()).contains("Member not found: mus. Did you mean must?");
        assertThat(refused("UPSERT INTO `" + table + "` (id, Must) VALUES (1, 'x'u)").toString())
                .contains("No such column: Must");
        assertThat(refused("SELECT 2 + x").toString()).contains("Column reference 'x'");
    }

    @Test
    void anUnknownFunction() {
        assertThat(refused("SELECT NoSuch(1)"))
                .returns(StatusCode.GENERIC_ERROR, Status::getCode)
                .asString()
                .contains("NoSuch");
        assertThat(refused("SELECT String::NoSuch('x')").toString()).contains("NoSuch");
    }

    @Test
    void anUnknownType() {
        assertThat(refused("DECLARE $p AS Int33; SELECT $p", "$p", PrimitiveValue.newInt32(1)))
                .returns(StatusCode.GENERIC_ERROR, Status::getCode)
                .asString()
                .contains("Int33");
        assertThat(refused("SELECT CAST(1 AS Nothing33)").toString()).contains("Nothing33");
    }

    @Test
    void aParameterOfAnotherType() {
        Status status =
                refused("DECLARE $p AS Int32; SELECT $p", "$p", PrimitiveValue.newText("x"));
        assertThat(status.getCode()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(status.toString()).contains("$p").contains("Int32").contains("Utf8");
    }

    @Test
    void aParameterThatWasNotSent() {
        Status status = refused("DECLARE $p AS Int32; SELECT $p");
        assertThat(status.getCode()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(status.toString()).contains("$p");
        assertThat(refused("SELECT $q").toString()).contains("Unknown name: $q");
    }

    @Test
    void aValueThatDoesNotConvert() {
        Status status =
                refused(
                        "UPSERT INTO `" + table + "` (id, must, may) VALUES (1, 'x'u, $p)",
                        "$p",
                        PrimitiveValue.newDouble(1.5));
        assertThat(status.toString())
                .contains("Failed to convert 'may': Double to Optional<Float>");
    }

    @Test
    void aMissingNotNullColumn() {
        assertThat(refused("UPSERT INTO `" + table + "` (id) VALUES (1)").toString())
                .contains("must");
        assertThat(
                        refused("UPSERT INTO `" + table + "` (id, must) VALUES (1, NULL)")
                                .toString())
                .contains("must");
    }

    @Test
    void aValueOutOfRange() {
        assertThat(refused("SELECT Date('2106-01-01')").toString())
                .contains("Invalid value \"2106-01-01\" for type Date");
        assertThat(refused("SELECT 99999999999999999999").toString())
                .contains("99999999999999999999");
        assertThat(
                        refused("UPSERT INTO `" + table + "` (id, must) VALUES (5000000000, 'x'u)")
                                .toString())
                .contains("id");
    }

    @Test
    void aTextThatDoesNotParseHasAPosition() {
        Status status = refused("SELECT 1;\nSELECT a b c FROM t;");
        assertThat(status.getCode()).isEqualTo(StatusCode.GENERIC_ERROR);
        Issue.Position position = deepest(status.getIssues()[0]).getPosition();
        assertThat(position.getRow()).isEqualTo(2);
        assertThat(position.getColumn()).isBetween(8, 13);
    }

    @Test
    void aCellOverTheLimit() {
        Status status =
                refused(
                        "UPSERT INTO `" + table + "` (id, must, b) VALUES (1, 'x'u, $p)",
                        "$p",
                        PrimitiveValue.newBytes(new byte[17 << 20]));
        assertThat(status.isSuccess()).isFalse();
        assertThat(status.getCode()).isNotEqualTo(StatusCode.INTERNAL_ERROR);
        assertThat(status.toString()).contains("b");
    }

    @Test
    void aTransactionThatIsGone() {
        try (Session own =
                clients.tables().createSession(Duration.ofSeconds(10)).join().getValue()) {
            Status status =
                    own.commitTransaction("no-such-transaction", new CommitTxSettings()).join();
            assertThat(status.getCode()).isEqualTo(StatusCode.NOT_FOUND);
            assertThat(status.toString()).contains("no-such-transaction");
            assertThat(own.keepAlive().join().isSuccess()).isTrue();
        }
    }

    @Test
    void dataAndSchemaDoNotMix() {
        Status status =
                refused(
                        "CREATE TABLE `"
                                + table
                                + "2` (id Int32, PRIMARY KEY (id)); UPSERT INTO `"
                                + table
                                + "` (id, must) VALUES (1, 'x'u)");
        assertThat(status.isSuccess()).isFalse();
        assertThat(clients.rows("SELECT COUNT(*) FROM `" + table + "`")).containsExactly("0");
    }

    @Test
    void aSecondInsertOfAKey() {
        clients.query("INSERT INTO `" + table + "` (id, must) VALUES (1, 'x'u)");
        Status status = refused("INSERT INTO `" + table + "` (id, must) VALUES (1, 'y'u)");
        assertThat(status.getCode()).isEqualTo(StatusCode.PRECONDITION_FAILED);
        assertThat(status.toString()).contains("Conflict with existing key.");
        assertThat(clients.rows("SELECT must FROM `" + table + "`")).containsExactly("\"x\"");
    }

    private static Issue deepest(Issue issue) {
        return issue.getIssues().length == 0 ? issue : deepest(issue.getIssues()[0]);
    }

    private Status refused(String text) {
        return refused(text, Params.empty());
    }

    private Status refused(String text, String name, Value<?> value) {
        return refused(text, Params.of(name, value));
    }

    private Status refused(String text, Params params) {
        Status status =
                session.createQuery(text, TxMode.SERIALIZABLE_RW, params)
                        .execute(part -> {})
                        .join()
                        .getStatus();
        assertThat(status.isSuccess()).as("%s: %s", text, status).isFalse();
        assertThat(status.getCode()).as("%s", status).isNotEqualTo(StatusCode.INTERNAL_ERROR);
        return status;
    }
}
